package dev.portolan.sync;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.Failures;

/**
 * Keeps what others throw from ending a keeper: it is counted and reported, and the keeper goes on.
 */
final class Guard {
  private Guard() {}

  /** Does {@code work}; a failure is counted, and does not affect what follows. */
  static void run(String place, Runnable work) {
    try {
      work.run();
    } catch (Throwable e) {
      add(place, e);
    }
  }

  /**
   * Counts and reports a failure.
   *
   * @throws VirtualMachineError itself, where this process cannot go on
   */
  static void add(String place, Throwable failure) {
    BackendException _ = BackendException.of(failure);
    Failures.ofProcess().add(place, failure);
  }

  /**
   * The failure of {@code who} that observers get. It is counted unless it says itself what to do
   * about it.
   */
  static BackendException failure(String place, String who, Throwable failure) {
    if (!(failure instanceof BackendException)) {
      add(place, failure);
    }
    return BackendException.of(who, failure);
  }
}
