package dev.portolan.server;

/** A backend in the server's own process, listed among the clients like one that connects. */
public interface LocalBackend {
  /** Everything up to {@code revision} is applied. */
  void applied(long revision);

  /** A newer revision than the last applied one could not be applied, for this reason. */
  void failed(String sentence);
}
