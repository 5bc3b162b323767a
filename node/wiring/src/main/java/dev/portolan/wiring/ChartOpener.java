package dev.portolan.wiring;

import dev.portolan.server.ListenException;

/**
 * Serves a chart of what a process decides, for people to look at. The deciding code knows no more
 * of it.
 */
@FunctionalInterface
public interface ChartOpener {
  /** A chart that is served until it is closed. */
  interface OpenChart extends AutoCloseable {
    /** Where a browser finds it. */
    String url();

    @Override
    void close();
  }

  /**
   * Serves {@code subject} from now on.
   *
   * @throws ListenException where it cannot
   */
  OpenChart open(ChartSubject subject);
}
