package dev.portolan.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.NodeDecision;
import dev.portolan.core.node.Dataplane;
import dev.portolan.lab.Actor;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.packets.PacketTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What an audit expects is what an explanation says, for every mode. */
class ExpectedFateTest {
  static List<Arguments> trials() {
    List<Arguments> trials = new ArrayList<>();
    for (PacketTable table : PacketTable.ofEachSetting()) {
      trials.add(Arguments.of("exact", Dataplane.EXACT, table));
      KernelModes.ALL.forEach(mode ->
          trials.add(
              Arguments.of(
                  mode.name(), mode.rules(ModeConfiguration.byDefault()).dataplane(), table)));
    }
    return trials;
  }

  @ParameterizedTest(name = "{0}, {2}")
  @MethodSource("trials")
  void anAuditExpectsWhatIsExplained(String mode, Dataplane dataplane, PacketTable table) {
    NodeDecision decision = table.decision();
    KernelAudit audit =
        new KernelAudit(
            dataplane,
            new ExplainedRuleset(decision, dataplane),
            interfaces(decision),
            Optional.empty());
    AuditResult result = audit.compare(decision.image());
    assertThat(result.differences()).isEmpty();
    assertThat(result.packets()).isGreaterThan(100);
  }

  /** A host that has every address of its node. */
  static NodeInterfaces interfaces(NodeDecision decision) {
    return new NodeInterfaces(
        "eth0", List.of(Actor.POD_BRIDGE), Set.copyOf(decision.image().facts().addresses()));
  }
}
