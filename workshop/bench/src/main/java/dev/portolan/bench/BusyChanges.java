package dev.portolan.bench;

import dev.portolan.bench.daemon.Daemon;
import dev.portolan.bench.daemon.DaemonStage;
import dev.portolan.bench.daemon.TimedChanges;
import dev.portolan.bench.kit.BenchObjects;
import dev.portolan.bench.kit.LargeService;
import dev.portolan.bench.kit.SteadyChanges;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.Nftables;
import dev.portolan.testkit.peers.ApiWriter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Changes of a small service while a large one is rewritten all the time, slice by slice. As in the
 * other measurements an endpoint is replaced; it is the only one, so its element is known by key.
 */
final class BusyChanges {
  private static final LargeService LARGE =
      new LargeService(new NamespacedName("large", "large"), "10.99.0.1", 5_000);
  private static final LargeService SMALL =
      new LargeService(new NamespacedName("small", "small"), "10.99.0.2", 1);

  /** Its address and port, and the first number. */
  private static final Element FIRST =
      Element.of(new byte[] {10, 99, 0, 2, 0, 80, 0, 0, 0, 0, 0, 0}, "");

  private static final int SLICES_A_SECOND = 10;
  private static final int EVERY_MILLIS = 100;

  private BusyChanges() {}

  static TimedChanges measure(DaemonStage stage, Daemon daemon, int count)
      throws IOException, InterruptedException {
    ApiWriter writer = new ApiWriter(stage.plane());
    writer.apply(LARGE.all(0));
    stage.write(SMALL.all(0));
    TimeUnit.SECONDS.sleep(2);
    int slices = LARGE.slices();
    try (Nftables kernel = new Nftables(Optional.of(stage.namespace().path()));
        SteadyChanges _ =
            new SteadyChanges(
                SLICES_A_SECOND,
                slices,
                i -> writer.apply(BenchObjects.written(LARGE.slice(i % slices, i / slices))))) {
      return TimedChanges.measure(
          stage,
          daemon,
          "namespaces/small/",
          count,
          EVERY_MILLIS,
          i -> stage.write(SMALL.change(i + 1)),
          () ->
              kernel
                  .elements(AddressFamily.IPV4, "portolan", "tcp-endpoints", List.of(FIRST))
                  .getFirst());
    }
  }
}
