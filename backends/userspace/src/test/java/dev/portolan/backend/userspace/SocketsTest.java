package dev.portolan.backend.userspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.net.IpFamily;
import dev.portolan.netlink.lab.NeedsKernel;
import dev.portolan.netlink.lab.TestNamespace;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sockets of another network namespace. */
@NeedsKernel
@Timeout(60)
final class SocketsTest {
  private static final Path OWN = Path.of("/proc/thread-self/ns/net");

  @AutoClose private final TestNamespace place = new TestNamespace();

  private Sockets sockets() {
    return new Sockets(Optional.of(place.namespace().path()));
  }

  /** In a process of its own, whose virtual threads have had no carriers yet. */
  @Test
  void noThreadThatCarriesOthersIsInTheNamespace() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djdk.virtualThreadScheduler.parallelism=32",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Waiters.class.getName(),
                place.namespace().path().toString())
            .redirectErrorStream(true)
            .start();
    assertThat(process.inputReader().lines())
        .containsExactly(Files.readSymbolicLink(OWN).toString());
  }

  /** Prints the namespaces of the threads that carry many that get their sockets at once. */
  static final class Waiters {
    public static void main(String[] args) throws InterruptedException {
      Set<String> seen = ConcurrentHashMap.newKeySet();
      List<Thread> threads = new ArrayList<>();
      CountDownLatch all = new CountDownLatch(1);
      try (Sockets sockets = new Sockets(Optional.of(Path.of(args[0])))) {
        threads.add(
            Thread.ofPlatform()
                .start(() ->
                    use(
                        sockets,
                        seen,
                        () -> {
                          all.await();
                          return SocketChannel.open();
                        })));
        for (int i = 0; i < 32; i++) {
          Thread thread = Thread.ofVirtual().start(() -> use(sockets, seen, SocketChannel::open));
          // One carrier is enough for those that wait.
          while (thread.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
          }
          threads.add(thread);
        }
        all.countDown();
        for (Thread thread : threads) {
          thread.join();
        }
      }
      seen.forEach(System.out::println);
    }

    private static void use(Sockets sockets, Set<String> seen, Callable<SocketChannel> opening) {
      try (SocketChannel _ = sockets.open(() -> SocketsTest.call(opening))) {
        long end = System.nanoTime() + 20_000_000;
        while (System.nanoTime() < end) {
          Thread.onSpinWait();
        }
        seen.add(Files.readSymbolicLink(OWN).toString());
      } catch (IOException e) {
        seen.add(e.toString());
      }
    }
  }

  private static SocketChannel call(Callable<SocketChannel> opening) throws IOException {
    try {
      return opening.call();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  @Test
  void nobodyWaitsForASocketAfterTheEnd() throws Exception {
    Sockets sockets = sockets();
    sockets.tcp(IpFamily.IPV4).close();
    sockets.close();
    assertThatThrownBy(
            () -> {
              while (true) {
                sockets.tcp(IpFamily.IPV4).close();
              }
            })
        .isInstanceOf(ClosedChannelException.class);
  }
}
