package dev.portolan.daemon;

import dev.portolan.modes.BackendLock;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The lock of a daemon, over all its sessions: a new configuration must not give another process,
 * which waits for the lock, the chance to take it in between.
 */
final class DaemonLock implements AutoCloseable {
  private BackendLock lock = BackendLock.NONE;
  private String backend = "";

  /**
   * Holds the lock of {@code wanted} from now on, and no other.
   *
   * @param wait whether to wait for its holder to end, instead of failing
   * @param log receives a line about whom is waited for
   */
  synchronized void hold(String wanted, boolean wait, Consumer<String> log)
      throws InterruptedException {
    if (!wanted.equals(backend)) {
      BackendLock taken =
          BackendLock.take(
              new BackendLock.Claim(wanted, Optional.empty(), "portolan kube-proxy"), wait, log);
      lock.close();
      lock = taken;
      backend = wanted;
    }
  }

  @Override
  public synchronized void close() {
    lock.close();
  }
}
