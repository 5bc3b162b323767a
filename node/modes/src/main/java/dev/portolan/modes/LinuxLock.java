package dev.portolan.modes;

import dev.portolan.core.backend.BackendException;
import dev.portolan.netlink.NamespaceLock;
import dev.portolan.netlink.NetlinkException;
import java.util.Optional;
import java.util.function.Consumer;

/** The lock on Linux, which the kernel keeps per network namespace. */
final class LinuxLock {
  private LinuxLock() {}

  /** As {@link BackendLock#take}. */
  static BackendLock take(BackendLock.Claim claim, boolean wait, Consumer<String> log)
      throws InterruptedException {
    try {
      NamespaceLock taken = wait ? await(claim, log) : take(claim);
      return new BackendLock(taken::close);
    } catch (NetlinkException e) {
      throw new BackendException(claim.backend() + ": " + e.getMessage(), e);
    }
  }

  private static NamespaceLock take(BackendLock.Claim claim) {
    Optional<NamespaceLock> taken =
        NamespaceLock.take(claim.backend(), claim.namespace(), claim.command());
    return taken.orElseThrow(
        () -> claim.refused(NamespaceLock.holder(claim.backend(), claim.namespace())));
  }

  private static NamespaceLock await(BackendLock.Claim claim, Consumer<String> log)
      throws InterruptedException {
    return NamespaceLock.await(
        claim.backend(),
        claim.namespace(),
        claim.command(),
        holder -> log.accept(claim.waiting(holder)));
  }
}
