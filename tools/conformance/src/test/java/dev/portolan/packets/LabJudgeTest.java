package dev.portolan.packets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.node.NodeChange;
import dev.portolan.lab.Lab;
import dev.portolan.testbase.NeedsKernel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The packet table against a real kernel, with rules as kube-proxy lays them. */
@NeedsKernel(tools = {"ip", "nft"})
class LabJudgeTest {
  private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  @AfterAll
  static void takeDown() {
    if (lab != null) {
      lab.close();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.portolan.packets.PacketTable#all")
  void theKernelAgrees(PacketTable table) {
    Trial.Report report = Trial.run(table, new LabJudge(lab, LabJudgeTest::reference));
    report.orThrow();
    assertThat(report.skipped()).isEmpty();
  }

  @Test
  void aBackendThatDoesNothingFailsEveryRowButThoseThatExpectNothing() {
    PacketTable table = PacketTable.load("guards");
    long nothing =
        table.packets().stream()
            .filter(packet -> packet.expected().toString().equals("none"))
            .count();
    Trial.Report report = Trial.run(table, new LabJudge(lab, Idle::new));
    assertThat(report.failures())
        .hasSize(table.packets().size() - (int) nothing)
        .allMatch(failure -> failure.endsWith("but got  none"));
  }

  @Test
  void rulesThatStayAsTheyAreServeEverybodyThroughChurn() {
    Churn.Report report = churn(() -> new Steady(reference()), 25);
    assertThat(report.failures()).isEmpty();
    assertThat(report.probes()).isPositive();
  }

  @Test
  void aBackendThatLeavesGapsIsFound() {
    Churn.Report report =
        churn(
            () ->
                new Backend() {
                  private final Backend rules = reference();

                  @Override
                  public void sync(NodeChange change) {
                    rules.sync(change);
                    rules.cleanup();
                    rules.sync(change);
                  }

                  @Override
                  public void cleanup() {
                    rules.cleanup();
                  }
                },
            10);
    assertThat(report.failures()).isNotEmpty();
  }

  @Test
  void theSameSeedMakesTheSameChurn() {
    Churn one = new Churn(7);
    Churn other = new Churn(7);
    for (int step = 0; step < 1000; step++) {
      assertThat(one.next()).isEqualTo(other.next());
    }
    assertThat(one.end()).isEqualTo(other.end());
  }

  private static Churn.Report churn(BackendUnderTest backend, int steps) {
    try (NodeUnderTest node = new NodeUnderTest(lab.node(), backend, NodeSettings.DEFAULT)) {
      node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
      return new Churn(42).run(lab, node, steps, step -> {});
    }
  }

  private static Backend reference() {
    return new ReferenceRules(lab.node());
  }

  /** Applies the first image and no other: to replace a whole table is not atomic for a packet. */
  private static final class Steady implements Backend {
    private final Backend rules;
    private boolean loaded;

    private Steady(Backend rules) {
      this.rules = rules;
    }

    @Override
    public void sync(NodeChange change) {
      if (!loaded) {
        rules.sync(change);
        loaded = true;
      }
    }

    @Override
    public void cleanup() {
      rules.cleanup();
    }
  }

  /** Does nothing. */
  private record Idle() implements Backend {
    @Override
    public void sync(NodeChange change) {}

    @Override
    public void cleanup() {}
  }
}
