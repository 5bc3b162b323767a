package dev.portolan.config.gates;

import dev.portolan.text.syntax.TableFile;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A switch for one feature, with its stages from the oldest to the newest. */
public record FeatureGate(String name, List<GateStage> stages) {
  private static final List<FeatureGate> ALL =
      TableFile.lines(FeatureGate.class, "gates.table").stream().map(FeatureGate::parse).toList();

  public FeatureGate {
    stages = List.copyOf(stages);
  }

  /** Every gate that the proxy consults, by name. */
  public static List<FeatureGate> all() {
    return ALL;
  }

  private static FeatureGate parse(String line) {
    List<String> cells = TableFile.cells(line, 3);
    return new FeatureGate(
        cells.get(0), Stream.of(cells.get(1).split(";", -1)).map(GateStage::parse).toList());
  }

  /** The stage in {@code version}; empty where the feature is not there yet. */
  public Optional<GateStage> at(KubeVersion version) {
    return stages.reversed().stream().filter(stage -> version.atLeast(stage.since())).findFirst();
  }

  /** The gate with this name. */
  public static FeatureGate named(String name) {
    return ALL.stream().filter(gate -> gate.name().equals(name)).findFirst().orElseThrow();
  }

  /** The release in which the gate goes off by default. */
  public Optional<KubeVersion> off() {
    return stages.stream().filter(stage -> !stage.on()).map(GateStage::since).findFirst();
  }

  /** The release from which on the gate cannot be set any more. */
  public Optional<KubeVersion> locked() {
    return stages.stream().filter(GateStage::locked).map(GateStage::since).findFirst();
  }
}
