package dev.portolan.conformance;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.packets.Churn;
import dev.portolan.packets.FollowingNode;
import dev.portolan.packets.LabJudge;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The exercises in a kernel: what happens to packets on a node where a candidate is at work. */
final class Packets {
  private static final int CHANGES = 60;

  private final Supplier<Lab> lab;
  private final Candidate candidate;
  private final Sizes sizes;

  Packets(Supplier<Lab> lab, Candidate candidate, Sizes sizes) {
    this.lab = lab;
    this.candidate = candidate;
    this.sizes = sizes;
  }

  /** One for each table. */
  Exercise table(PacketTable table) {
    return new Exercise(
        "packets-" + table.name(),
        oneLine(table.description()),
        progress -> judge(table, progress));
  }

  /** Connections to healthy services while others change. */
  Exercise traffic() {
    return new Exercise(
        "traffic-under-churn",
        "New connections to a service succeed while other services change.",
        this::churn);
  }

  private String judge(PacketTable table, Consumer<String> progress) {
    progress.accept(table.packets().size() + " rows");
    Trial.Report report =
        Trial.run(table, LabJudge.of(lab.get(), settings -> new Node(settings, progress)));
    List<String> failures = report.failures();
    if (!failures.isEmpty()) {
      throw new ConformanceException(
          "%d of %d rows are wrong; %s"
              .formatted(failures.size(), report.judged(), oneLine(failures.getFirst())));
    }
    return report.judged()
        + " rows"
        + (report.skipped().isEmpty() ? "" : ", " + report.skipped().size() + " skipped");
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s*\\n\\s*", " ");
  }

  private String churn(Consumer<String> progress) {
    try (Node node = new Node(NodeSettings.DEFAULT, progress)) {
      node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
      Churn.Report report =
          new Churn(1)
              .run(
                  lab.get(),
                  node,
                  CHANGES,
                  step -> progress.accept("change " + (step + 1) + " of " + CHANGES));
      if (!report.failures().isEmpty()) {
        throw new ConformanceException(
            "%d of %d connections failed; %s"
                .formatted(
                    report.failures().size(), report.probes(), report.failures().getFirst()));
      }
      return String.format(Locale.ROOT, "%d connections", report.probes());
    }
  }

  /** The lab's node, with a candidate on it that follows a brain behind a socket. */
  private final class Node implements FollowingNode {
    private final ServedStage stage;

    Node(NodeSettings settings, Consumer<String> progress) {
      stage =
          new ServedStage(
              candidate, Optional.of(lab.get().node()), Actor.NODE_NAME, settings, sizes, progress);
      try {
        stage.begin(ClusterImage.EMPTY);
      } catch (RuntimeException e) {
        stage.close();
        throw e;
      }
    }

    @Override
    public void apply(ClusterDelta change) {
      stage.apply(change);
      stage.awaitApplied();
    }

    @Override
    public void close() {
      stage.close();
    }
  }
}
