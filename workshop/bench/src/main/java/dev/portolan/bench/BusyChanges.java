package dev.portolan.bench;

import dev.portolan.bench.daemon.Daemon;
import dev.portolan.bench.daemon.DaemonStage;
import dev.portolan.bench.floor.BareClient;
import dev.portolan.bench.kit.LargeService;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.Nftables;
import dev.portolan.testkit.peers.ApiWriter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

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

  private static final String WATCH =
      "/apis/discovery.k8s.io/v1/namespaces/small/endpointslices?watch=true&resourceVersion=0";
  private static final int SLICES_A_SECOND = 10;
  private static final int WARM_UP = 20;
  private static final int EVERY_MILLIS = 100;

  private final DaemonStage stage;
  private final Nftables kernel;
  private volatile boolean done;

  private BusyChanges(DaemonStage stage, Nftables kernel) {
    this.stage = stage;
    this.kernel = kernel;
  }

  /** Fills in how long each change took, and when a bare client had its event: milliseconds. */
  static void measure(DaemonStage stage, Daemon daemon, double[] millis, double[] floors)
      throws IOException, InterruptedException {
    try (Nftables kernel = new Nftables(Optional.of(stage.namespace().path()))) {
      new BusyChanges(stage, kernel).measure(daemon, millis, floors);
    }
  }

  private void measure(Daemon daemon, double[] millis, double[] floors)
      throws IOException, InterruptedException {
    ApiWriter writer = new ApiWriter(stage.plane());
    writer.apply(LARGE.all(0));
    stage.write(SMALL.all(0));
    TimeUnit.SECONDS.sleep(2);
    Thread rewriting = Thread.ofPlatform().start(() -> rewrite(writer));
    try (BareClient.Watch watch = stage.client().watch(WATCH)) {
      for (int i = -WARM_UP; i < millis.length; i++) {
        ClusterDelta change = ClusterDelta.builder().set(SMALL.slice(0, i + WARM_UP + 1)).build();
        Element before = element();
        long start = System.nanoTime();
        double event = watch.await(() -> stage.write(change)) / 1e6;
        daemon.await(() -> isAnother(element(), before));
        long end = System.nanoTime();
        if (i >= 0) {
          floors[i] = event;
          millis[i] = (end - start) / 1e6;
        }
        TimeUnit.NANOSECONDS.sleep(start + TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS) - end);
      }
    } finally {
      done = true;
      rewriting.join();
    }
  }

  private @Nullable Element element() {
    return kernel
        .elements(AddressFamily.IPV4, "portolan", "tcp-endpoints", List.of(FIRST))
        .getFirst();
  }

  private static boolean isAnother(@Nullable Element now, @Nullable Element before) {
    return now != null && !now.equals(before);
  }

  /** Replaces one endpoint of each slice in turn; a slice has a thousand. */
  private void rewrite(ApiWriter writer) {
    for (int i = LARGE.slices(); !done; i++) {
      writer.apply(
          ClusterDelta.builder().set(LARGE.slice(i % LARGE.slices(), i / LARGE.slices())).build());
      try {
        TimeUnit.MILLISECONDS.sleep(1_000 / SLICES_A_SECOND);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
