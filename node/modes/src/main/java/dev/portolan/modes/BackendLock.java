package dev.portolan.modes;

import dev.portolan.config.gates.Platform;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The right to program a network namespace with one backend. Two processes with different states of
 * the same rules would undo each other's repairs forever, so only one has it.
 */
public final class BackendLock implements AutoCloseable {
  /** For a backend that needs none. */
  public static final BackendLock NONE = new BackendLock(() -> {});

  private final Runnable release;

  BackendLock(Runnable release) {
    this.release = release;
  }

  /**
   * Whose lock it is to be, and where.
   *
   * @param backend as users write it: {@code nftables}
   * @param namespace the network namespace; empty for this process's own
   * @param command what this process is: {@code portolan run}
   */
  public record Claim(String backend, Optional<Path> namespace, String command) {
    /** That another process has the lock. */
    String taken(Object holder) {
      return backend
          + ": another Portolan already programs "
          + namespace.map(path -> "the network namespace " + path).orElse("this host")
          + ": "
          + holder;
    }

    /** The same, where nothing waits for it. */
    BackendException refused(Optional<?> holder) {
      return new BackendException(
          ErrorCode.LOCKED,
          holder.map(this::taken).orElse(backend)
              + "; end it first, or wait for it with --wait-lock");
    }

    /** The same, where something does. */
    String waiting(Object holder) {
      return taken(holder) + "; waiting until it ends";
    }
  }

  /**
   * Takes the lock.
   *
   * @param wait whether to wait until the holder ends, instead of failing
   * @param log receives a line about whom is waited for
   * @throws BackendException naming the holder
   */
  public static BackendLock take(Claim claim, boolean wait, Consumer<String> log)
      throws InterruptedException {
    return Platform.current() == Platform.WINDOWS
        ? WindowsLock.take(claim, wait, log)
        : LinuxLock.take(claim, wait, log);
  }

  /** Lets the next one have it. */
  @Override
  public void close() {
    release.run();
  }
}
