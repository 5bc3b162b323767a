package dev.portolan.bench;

import dev.portolan.bench.kit.BenchNode;
import dev.portolan.bench.kit.BenchObjects;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How fast the brain decides, and what it costs to decide for many nodes. */
final class BrainBench {
  private BrainBench() {}

  static void run(Report report) {
    fullState(report);
    oneChange(report);
    oneSlice(report);
    manyNodes(report);
  }

  private static void fullState(Report report) {
    report.progress("objects to node state, 10,000 services x 10 endpoints");
    ClusterDelta all = new SyntheticCluster(10_000, 10, 100).all();
    Samples samples =
        Samples.of(
            50, 50, i -> Bench.require(new BenchNode(all).image().services().size() == 10_000));
    report.atLeast(
        "objects to node state, service ports a second",
        10_000 / samples.millis(0.5) * 1e3,
        250_000,
        "/s");
  }

  private static void oneChange(Report report) {
    for (int services : new int[] {1_000, 10_000, 100_000}) {
      report.progress("one endpoint change at %d services x 10 endpoints".formatted(services));
      SyntheticCluster cluster = new SyntheticCluster(services, 10, 100);
      BenchNode node = new BenchNode(cluster.all());
      Samples samples =
          Samples.of(
              20_000, 20_000, i -> Bench.require(node.change(cluster.change(i)).set().size() <= 1));
      String what = String.format("one endpoint change at %,d x 10", services);
      if (services == 10_000) {
        report.atMost(what + ", median", samples.micros(0.5), 50, "us");
      } else {
        report.value(what + ", median", samples.micros(0.5), "us");
      }
      report.value(what + ", p99", samples.micros(0.99), "us");
    }
  }

  /** One slice of 100 among the 50 of one service. */
  private static void oneSlice(Report report) {
    report.progress("one slice of a service of 5,000 endpoints");
    SyntheticCluster pods = new SyntheticCluster(50, 100, 500);
    ClusterDelta.Builder all = ClusterDelta.builder().set(pods.service(0));
    for (int i = 0; i < 50; i++) {
      all.set(ofFirstService(pods.slice(i, 0)));
    }
    BenchNode node = new BenchNode(all.build());
    Samples samples =
        Samples.of(
            2_000,
            2_000,
            i -> BenchObjects.written(ofFirstService(pods.slice(i % 50, 1 + i / 50))),
            delta -> Bench.require(node.change(delta).set().size() == 1));
    report.value("one slice of 100 among 5,000 endpoints, median", samples.micros(0.5), "us");
  }

  private static EndpointSlice ofFirstService(EndpointSlice slice) {
    return BenchObjects.copy(slice, "ns-0", "service-0", Optional.empty());
  }

  private static void manyNodes(Report report) {
    report.progress("5,000 node views of 10,000 services x 10 endpoints");
    SyntheticCluster cluster = new SyntheticCluster(10_000, 10, 5_000);
    double before = Samples.liveHeap();
    Brain brain = new Brain(_ -> {});
    brain.apply(cluster.all());
    double oneBrain = Samples.liveHeap() - before;
    List<NodeView> views = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      views.add(brain.open(SyntheticCluster.name(i), NodeSettings.DEFAULT));
    }
    report.value("heap of the brain without views", oneBrain, "MB");
    report.atMost("heap with 5,000 node views", Samples.liveHeap() - before, 1_000, "MB");
    fanOut(report, "a plain service", brain, cluster, views, 0);
    fanOut(report, "a service with zone hints", brain, cluster, views, 16);
    fanOut(report, "a service with policy Local", brain, cluster, views, 18);
    report.value("heap after these changes", Samples.liveHeap() - before, "MB");
  }

  private static void fanOut(
      Report report,
      String what,
      Brain brain,
      SyntheticCluster cluster,
      List<NodeView> views,
      int kind) {
    long revisions = revisions(views);
    Samples samples =
        Samples.of(
            200,
            400,
            i -> {
              int service = i * 20 % 10_000 + kind;
              brain.apply(BenchObjects.written(cluster.slice(service, 1 + i / 500)));
            });
    double reached = (revisions(views) - revisions) / 600.0;
    report.atMost("one change of " + what + " to all views, p99", samples.millis(0.99), 100, "ms");
    report.value("  views that it concerned, of 5,000", reached, "");
  }

  private static long revisions(List<NodeView> views) {
    return views.stream().mapToLong(view -> view.image().revision()).sum();
  }
}
