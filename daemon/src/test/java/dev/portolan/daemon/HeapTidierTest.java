package dev.portolan.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Garbage that has lived for a while goes, though the heap has room for much more. */
final class HeapTidierTest {
  private static final int MEGABYTE = 1 << 20;

  @Test
  void oldGarbageIsCollectedOnceThereIsMuchOfIt() throws InterruptedException {
    long before = oldCollections();
    try (HeapTidier _ = HeapTidier.start()) {
      List<byte[]> held = new ArrayList<>();
      long settled = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
      for (long size = 0; size < settled / 2 + 64L * MEGABYTE; size += MEGABYTE) {
        held.add(new byte[MEGABYTE]);
      }
      for (int i = 0; i < 600 && oldCollections() == before; i++) {
        Thread.sleep(50);
      }
      assertThat(held).isNotEmpty();
    }
    assertThat(oldCollections()).isGreaterThan(before);
  }

  private static long oldCollections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .filter(collector -> collector.getName().contains("MarkSweep"))
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }
}
