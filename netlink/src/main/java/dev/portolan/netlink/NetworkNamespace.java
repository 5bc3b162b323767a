package dev.portolan.netlink;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A network namespace, by the file that stands for it. Making and removing namespaces is not done
 * here.
 *
 * <p>A socket belongs for good to the namespace of the thread that opens it. So a visit runs on a
 * thread of its own, which moves there and ends with the visit. Threads and processes that the
 * visitor starts begin in the namespace too; therefore it must not be what starts a pool that
 * others use.
 */
public record NetworkNamespace(Path path) {
  private static final int CLONE_NEWNET = 0x40000000;

  /** What is done inside. */
  @FunctionalInterface
  public interface Visit<T, E extends Exception> {
    /** Does it, on a thread that is in the namespace. */
    T call() throws E;
  }

  /** The namespace that {@code ip netns add} made under {@code name}. */
  public static NetworkNamespace named(String name) {
    return new NetworkNamespace(Path.of("/run/netns", name));
  }

  /** For methods that take a path or nothing. */
  public Optional<Path> toOptional() {
    return Optional.of(path);
  }

  /**
   * Runs {@code visit} inside, and returns or throws what it does. An interrupt of the waiting
   * thread is handed on to the visitor, which may then end.
   */
  @SuppressWarnings("unchecked") // a visit throws E or what is unchecked
  public <T, E extends Exception> T visit(Visit<T, E> visit) throws E {
    FutureTask<T> task =
        new FutureTask<>(() -> {
          enter();
          return visit.call();
        });
    Thread visitor = Thread.ofPlatform().name("netns-visitor").daemon().start(task);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
          visitor.interrupt();
        } catch (ExecutionException e) {
          if (e.getCause() instanceof Error error) {
            throw error;
          }
          throw (E) e.getCause();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void enter() {
    int place = CLibrary.open(path.toString(), CLibrary.CLOSE_ON_EXEC);
    int moved = place;
    if (place >= 0) {
      moved = Libc.setNamespace(place, CLONE_NEWNET);
      CLibrary.close(place);
    }
    if (moved < 0) {
      String what = "cannot enter network namespace " + path;
      throw -moved == Errno.EPERM
          ? new NetlinkException(what + ": EPERM: not permitted; CAP_SYS_ADMIN is needed", -moved)
          : new NetlinkException(what, -moved, "");
    }
  }
}
