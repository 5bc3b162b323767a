package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Await;
import dev.portolan.testbase.OwnJvm;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the start needed goes, and later garbage that has lived for a while. */
final class MemoryTidierTest {
  @Test
  void collectsAfterTheStartAndWheneverMuchHasCome() throws Exception {
    assertThat(OwnJvm.run(List.of("-XX:+UseSerialGC", "-Xmx1g"), Holder.class).orThrow())
        .contains("collections");
  }

  /** Waits for the collection after the start, then holds much, and waits for the next one. */
  static final class Holder {
    private static final int MEGABYTE = 1 << 20;

    private Holder() {}

    /** Runs in a JVM of its own; ends with 0 where both came. */
    public static void main(String[] args) throws InterruptedException {
      long before = oldCollections();
      try (MemoryTidier _ = MemoryTidier.start()) {
        long afterTheStart = awaitMoreThan(before);
        List<byte[]> held = new ArrayList<>();
        for (int i = 0; i < 128; i++) {
          held.add(new byte[MEGABYTE]);
        }
        // It looks at what is in use some time after the collection, so there must come ever more.
        long later =
            Await.until(
                "another collection",
                () -> {
                  held.add(new byte[MEGABYTE]);
                  return oldCollections();
                },
                now -> now > afterTheStart);
        System.out.println(
            before + ", " + afterTheStart + ", " + later + " collections, " + held.size() + " MB");
        System.exit(afterTheStart > before && later > afterTheStart ? 0 : 1);
      }
    }

    private static long awaitMoreThan(long collections) {
      return Await.until("a collection", Holder::oldCollections, now -> now > collections);
    }

    private static long oldCollections() {
      return ManagementFactory.getGarbageCollectorMXBeans().stream()
          .filter(collector -> collector.getName().contains("MarkSweep"))
          .mapToLong(GarbageCollectorMXBean::getCollectionCount)
          .sum();
    }
  }
}
