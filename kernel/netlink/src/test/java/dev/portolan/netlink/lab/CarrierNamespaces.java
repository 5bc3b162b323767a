package dev.portolan.netlink.lab;

import dev.portolan.testbase.Await;
import dev.portolan.testbase.OwnJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * Finds out in which network namespace the threads are that carry virtual ones, after many of these
 * were woken at once. In a process of its own, in which few were started before.
 */
public final class CarrierNamespaces {
  private static final Path OWN = Path.of("/proc/thread-self/ns/net");
  private static final int THREADS = 32;
  private static final long BUSY_NANOS = 20_000_000;

  /** Something that virtual threads wait for; it must not end before {@code all} is open. */
  public interface Waiting {
    /** Waits. */
    void await(CountDownLatch all) throws Exception;
  }

  private CarrierNamespaces() {}

  /** That of the calling thread. */
  public static String own() throws IOException {
    return Files.readSymbolicLink(OWN).toString();
  }

  /** What {@code main} prints, which calls {@link #print}, in a process of its own. */
  public static List<String> of(Class<?> main, TestNamespace namespace) {
    List<String> options =
        List.of(
            "-Djdk.virtualThreadScheduler.parallelism=" + THREADS,
            "--enable-native-access=ALL-UNNAMED");
    return OwnJvm.run(options, main, namespace.namespace().path().toString())
        .orThrow()
        .lines()
        .toList();
  }

  /** Has many virtual threads wait, and prints the namespaces that they are in afterwards. */
  public static void print(Waiting waiting) throws InterruptedException {
    Set<String> seen = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    CountDownLatch all = new CountDownLatch(1);
    for (int i = 0; i < THREADS; i++) {
      Thread thread = Thread.ofVirtual().start(() -> seen.add(after(waiting, all)));
      // One carrier is enough for those that wait.
      Await.until("it waits", () -> thread.getState() == Thread.State.WAITING);
      threads.add(thread);
    }
    all.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    seen.forEach(System.out::println);
  }

  private static String after(Waiting waiting, CountDownLatch all) {
    try {
      waiting.await(all);
      // So that each needs a carrier of its own.
      long end = System.nanoTime() + BUSY_NANOS;
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      return own();
    } catch (Exception e) {
      return e.toString();
    }
  }
}
