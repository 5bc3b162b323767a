package dev.portolan.lab;

import java.time.Duration;

/**
 * A client's socket that stays open: each question goes the way of the first one, as long as the
 * connection lives.
 */
public interface ClientFlow extends AutoCloseable {
  /** Asks once, and waits for the answer no longer than {@code patience}. */
  Reply ask(Duration patience);

  /** Ends the connection. */
  @Override
  void close();
}
