package dev.portolan.netlink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A network namespace, by the file that stands for it. Making and removing namespaces is not done
 * here.
 *
 * <p>A socket belongs for good to the namespace of the thread that opens it. So a visit runs on a
 * thread of its own, which moves there, and back at the end of the visit. Threads and processes
 * that the visitor starts begin in the namespace too; therefore it must not be what starts a pool
 * that others use.
 */
public record NetworkNamespace(Path path) {
  private static final int CLONE_NEWNET = 0x40000000;

  /** That of the process, in which its first thread stays. */
  private static final NetworkNamespace PROCESS =
      new NetworkNamespace(Path.of("/proc/self/ns/net"));

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

  /**
   * The network namespaces that this process can find besides its own, each once: those of other
   * processes, and those that have a name under {@code /run/netns}, as pods' have.
   */
  public static List<NetworkNamespace> others() {
    Set<Map<String, Object>> known = new HashSet<>();
    Set<NetworkNamespace> found = new LinkedHashSet<>();
    try {
      Map<String, Object> own = identity(Path.of("/proc/thread-self/ns/net"));
      known.add(own);
      for (Path process : list(Path.of("/proc"), "[0-9]*")) {
        add(process.resolve("ns/net"), known, own, found);
      }
      for (Path named : list(Path.of("/run/netns"), "*")) {
        add(named, known, own, found);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(found);
  }

  private static List<Path> list(Path folder, String glob) throws IOException {
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
      entries.forEach(all::add);
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return all;
  }

  private static void add(
      Path path,
      Set<Map<String, Object>> known,
      Map<String, Object> own,
      Set<NetworkNamespace> found) {
    try {
      Map<String, Object> identity = identity(path);
      // A name whose namespace is gone is a plain file, on another device.
      if (Objects.equals(identity.get("dev"), own.get("dev")) && known.add(identity)) {
        found.add(new NetworkNamespace(path));
      }
    } catch (IOException e) {
      // The process has ended, or is none of our business.
    }
  }

  private static Map<String, Object> identity(Path path) throws IOException {
    return Files.readAttributes(path, "unix:dev,ino");
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
          try {
            return visit.call();
          } finally {
            // Waking a virtual thread may start another one to carry it, which begins here.
            PROCESS.enter();
          }
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
