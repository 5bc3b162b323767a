package dev.portolan.bench;

import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.NodeSettings;
import dev.portolan.compare.ObjectDiff;
import dev.portolan.compare.decisions.ClusterComparison;
import dev.portolan.compare.decisions.ComparedNodes;
import dev.portolan.compare.decisions.DecidedState;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;

/** How long it takes to say what a change does, on all nodes of a large cluster. */
final class DiffBench {
  private static final int SERVICES = 10_000;
  private static final int NODES = 500;

  private DiffBench() {}

  static void run(Report report) {
    SyntheticCluster cluster = new SyntheticCluster(SERVICES, 10, NODES);
    ClusterImage before = cluster.all().applyTo(ClusterImage.EMPTY);
    boolean cold = true;
    for (int changed : new int[] {1, 100, SERVICES}) {
      ClusterDelta.Builder delta = ClusterDelta.builder();
      for (int i = 0; i < changed; i++) {
        delta.set(cluster.slice(i * (SERVICES / changed), 1));
      }
      ClusterImage after = delta.build().applyTo(before);
      String what = String.format("difference of %,d services on %d nodes", changed, NODES);
      report.progress(what);
      double first = Samples.of(0, 1, i -> compare(before, after, changed)).millis(0.5);
      if (cold) {
        report.atMost(what + ", first in a process", first, 1_000, "ms");
      } else {
        report.value(what + ", first", first, "ms");
      }
      Samples samples = Samples.of(5, 9, i -> compare(before, after, changed));
      report.value(what + ", median", samples.millis(0.5), "ms");
      cold = false;
    }
  }

  /** Decides both states, compares them, and finds the causes. */
  private static void compare(ClusterImage before, ClusterImage after, int changed) {
    DecidedState now = new DecidedState(before, BrainSettings.DEFAULT, NodeSettings.DEFAULT);
    ClusterComparison comparison =
        ClusterComparison.of(ComparedNodes.between(now, now.with(after), name -> true));
    ObjectDiff causes = ObjectDiff.of(before, after);
    comparison
        .services()
        .forEach(service -> Bench.require(!causes.causes(service.name()).isEmpty()));
    Bench.require(comparison.services().size() == changed && comparison.nodes().size() == NODES);
  }
}
