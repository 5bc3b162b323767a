package dev.portolan.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Garbage that has lived for a while goes, though the heap has room for much more. */
final class HeapTidierTest {
  /** What no other test shares: the heap of a JVM of its own. */
  @Test
  void oldGarbageIsCollectedOnceThereIsMuchOfIt() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  /** Holds what looks old, and ends with 0 once it has been looked at. */
  static final class Holder {
    private static final int MEGABYTE = 1 << 20;
    private static final int MOST_LOOKS = 1_200;

    private Holder() {}

    /** Runs in a JVM of its own. */
    public static void main(String[] args) throws InterruptedException {
      long before = oldCollections();
      try (HeapTidier _ = HeapTidier.start()) {
        List<byte[]> held = new ArrayList<>();
        for (int i = 0; i < 128; i++) {
          held.add(new byte[MEGABYTE]);
        }
        for (int i = 0; i < MOST_LOOKS && oldCollections() == before; i++) {
          Thread.sleep(50);
        }
        System.out.println(oldCollections() + " collections with " + held.size() + " MB held");
      }
      System.exit(oldCollections() > before ? 0 : 1);
    }

    private static long oldCollections() {
      return ManagementFactory.getGarbageCollectorMXBeans().stream()
          .filter(collector -> collector.getName().contains("MarkSweep"))
          .mapToLong(GarbageCollectorMXBean::getCollectionCount)
          .sum();
    }
  }
}
