package dev.portolan.server;

import java.time.Instant;

/** A backend in the server's own process, listed among the clients like one that connects. */
public interface LocalBackend {
  /** Everything up to {@code revision} is applied. */
  void applied(long revision);

  /** At that time the kernel was compared with what was applied; this many objects differed. */
  void audited(Instant at, int differences);

  /** A newer revision than the last applied one could not be applied, for this reason. */
  void failed(String sentence);
}
