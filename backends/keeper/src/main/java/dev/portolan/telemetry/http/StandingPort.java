package dev.portolan.telemetry.http;

import dev.portolan.core.error.Threads;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A port that is opened at once, or as soon as it is free. */
public final class StandingPort implements AutoCloseable {
  /** Between two attempts to open a port, as long as kube-proxy waits. */
  public static final Duration PAUSE = Duration.ofSeconds(5);

  private final String what;
  private final String setting;
  private final BindAddress address;
  private final Duration pause;
  private final Function<Request, Response> handler;
  private @Nullable HttpPort port;
  private @Nullable Thread opener;

  /**
   * A port that is not open yet.
   *
   * @param what is served, for messages
   * @param setting where the address comes from
   * @param pause between two attempts
   */
  public StandingPort(
      String what,
      String setting,
      BindAddress address,
      Duration pause,
      Function<Request, Response> handler) {
    this.what = what;
    this.setting = setting;
    this.address = address;
    this.pause = pause;
    this.handler = handler;
  }

  /**
   * Opens the port.
   *
   * @param mustOpen whether a failure is thrown; otherwise {@code problem} is called once, and
   *     attempts go on
   */
  public synchronized void open(boolean mustOpen, Consumer<String> problem) {
    try {
      port = HttpPort.open(address, handler);
    } catch (PortUnavailableException e) {
      if (mustOpen) {
        throw new PortUnavailableException(sentence(e), e);
      }
      problem.accept(sentence(e) + "; retrying until it works");
      opener =
          Threads.virtual("open a port").named("open " + address).lasting().start(this::keepTrying);
    }
  }

  private String sentence(PortUnavailableException cause) {
    return "cannot serve "
        + what
        + " on "
        + address
        + ": "
        + cause.getMessage()
        + "; free the port or change "
        + setting;
  }

  private void keepTrying() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        Thread.sleep(pause);
        HttpPort opened = HttpPort.open(address, handler);
        synchronized (this) {
          if (Thread.currentThread().isInterrupted()) {
            opened.close();
          } else {
            port = opened;
          }
        }
        return;
      } catch (InterruptedException e) {
        return;
      } catch (PortUnavailableException e) {
        // The first failure was reported.
      }
    }
  }

  /** The number of the port; 0 while it is not open. */
  public synchronized int number() {
    return port == null ? 0 : port.number();
  }

  /** The thread that tries to open the port; null if there is none. */
  synchronized @Nullable Thread opener() {
    return opener;
  }

  /** Closes the port, or gives up opening it. */
  @Override
  public synchronized void close() {
    if (opener != null) {
      opener.interrupt();
    }
    if (port != null) {
      port.close();
    }
  }
}
