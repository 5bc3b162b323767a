package dev.portolan.daemon;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.netlink.NamespaceLock;
import dev.portolan.netlink.NetlinkException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The right to program a network namespace with one backend. Two processes that have different
 * states of the same rules would repair each other for ever, so only one has it.
 */
public final class BackendLock implements AutoCloseable {
  /** For a backend that needs none. */
  public static final BackendLock NONE = new BackendLock(Optional.empty());

  private final Optional<NamespaceLock> lock;

  private BackendLock(Optional<NamespaceLock> lock) {
    this.lock = lock;
  }

  /**
   * Whose lock it is to be, and where.
   *
   * @param backend as users write it: {@code nftables}
   * @param namespace the network namespace; empty for this process's own
   * @param command what this process is: {@code portolan run}
   */
  public record Claim(String backend, Optional<Path> namespace, String command) {}

  /**
   * Takes the lock.
   *
   * @param wait whether to wait until the holder ends, instead of failing
   * @param log receives a line about whom is waited for
   * @throws BackendException naming the holder
   */
  public static BackendLock take(Claim claim, boolean wait, Consumer<String> log)
      throws InterruptedException {
    try {
      if (wait) {
        return new BackendLock(
            Optional.of(
                NamespaceLock.await(
                    claim.backend,
                    claim.namespace,
                    claim.command,
                    holder -> log.accept(sentence(claim, holder) + "; waiting until it ends"))));
      }
      Optional<NamespaceLock> taken =
          NamespaceLock.take(claim.backend, claim.namespace, claim.command);
      if (taken.isEmpty()) {
        String holder = holder(claim).map(it -> sentence(claim, it)).orElse(claim.backend);
        throw new BackendException(
            ErrorCode.LOCKED, holder + "; end it first, or wait for it with --wait-lock");
      }
      return new BackendLock(taken);
    } catch (NetlinkException e) {
      throw new BackendException(claim.backend + ": " + e.getMessage(), e);
    }
  }

  /** Who programs that kernel with that backend, if a Portolan does. */
  public static Optional<NamespaceLock.Holder> holder(Claim claim) {
    return NamespaceLock.holder(claim.backend, claim.namespace);
  }

  private static String sentence(Claim claim, NamespaceLock.Holder holder) {
    return claim.backend
        + ": another Portolan already programs "
        + claim.namespace.map(path -> "the network namespace " + path).orElse("this host")
        + ": "
        + holder;
  }

  /** Lets the next one have it. */
  @Override
  public void close() {
    lock.ifPresent(NamespaceLock::close);
  }
}
