package dev.portolan.server;

/** Ends the thread of a stream whose client is gone. */
final class ClientGone extends RuntimeException {
  ClientGone() {
    super("the client is gone", null, false, false);
  }
}
