package dev.portolan.config.gates;

import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.config.gates.GateStage.Name;
import dev.portolan.text.Spelling;
import dev.portolan.text.syntax.DoubleQuotes;
import dev.portolan.text.syntax.GoTruth;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which features are on, for one emulated version of Kubernetes. */
public final class FeatureGates {
  private static final String ALL_ALPHA = "AllAlpha";
  private static final String ALL_BETA = "AllBeta";

  private final KubeVersion emulated;
  private final SortedMap<String, Boolean> set;
  private final List<String> warnings;

  private FeatureGates(
      KubeVersion emulated, SortedMap<String, Boolean> set, List<String> warnings) {
    this.emulated = emulated;
    this.set = Collections.unmodifiableSortedMap(set);
    this.warnings = List.copyOf(warnings);
  }

  /** All gates at their defaults in {@code emulated}. */
  public static FeatureGates defaults(KubeVersion emulated) {
    return new FeatureGates(emulated, new TreeMap<>(), List.of());
  }

  /** Reads {@code A=true,B=false}; a later value for a gate replaces an earlier one. */
  public static SortedMap<String, Boolean> parse(String text) {
    SortedMap<String, Boolean> gates = new TreeMap<>();
    for (String item : text.split(",", -1)) {
      if (item.isBlank()) {
        continue;
      }
      int equals = item.indexOf('=');
      if (equals < 0) {
        throw ConfigException.of(
            "", "malformed pair " + DoubleQuotes.quote(item.strip()) + ", expect string=bool");
      }
      String name = item.substring(0, equals).strip();
      String value = item.substring(equals + 1).strip();
      gates.put(name, GoTruth.parse(value).orElseThrow(() -> invalid(name, value)));
    }
    return gates;
  }

  private static ConfigException invalid(String name, String value) {
    return ConfigException.of(
        "", "invalid value of " + name + ": " + value + "; write true or false");
  }

  /** These gates with {@code wanted} set as well; throws with all errors, and sets nothing then. */
  public FeatureGates with(Map<String, Boolean> wanted) {
    List<Finding> errors = errors(wanted);
    if (!errors.isEmpty()) {
      throw new ConfigException(errors);
    }
    SortedMap<String, Boolean> all = new TreeMap<>(set);
    all.putAll(wanted);
    List<String> said = new ArrayList<>(warnings);
    new TreeMap<>(wanted).forEach((name, on) -> warning(name, on).ifPresent(said::add));
    return new FeatureGates(emulated, all, said);
  }

  /** What is wrong with {@code wanted}; the path of each error is the name of its gate. */
  public List<Finding> errors(Map<String, Boolean> wanted) {
    List<Finding> errors = new ArrayList<>();
    new TreeMap<>(wanted)
        .forEach((name, on) ->
            error(name, on)
                .ifPresent(text -> errors.add(Finding.of(FindingSeverity.ERROR, name, text))));
    return errors;
  }

  private Optional<String> error(String name, boolean on) {
    if (name.equals(ALL_ALPHA) || name.equals(ALL_BETA)) {
      return Optional.empty();
    }
    FeatureGate gate = known(name).orElse(null);
    if (gate == null) {
      Optional<String> near =
          Spelling.nearest(name, FeatureGate.all().stream().map(FeatureGate::name).toList())
              .filter(candidate -> known(candidate).isPresent());
      return Optional.of(
          "unrecognized feature gate: "
              + name
              + near.map(candidate -> "; did you mean " + candidate + "?").orElse(""));
    }
    GateStage stage = gate.at(emulated).orElse(null);
    String cannot = "cannot set feature gate " + name + " to " + on;
    if (stage == null) {
      return Optional.of(cannot + ", feature is PreAlpha at emulated version " + emulated);
    }
    if (stage.locked() && on != stage.on()) {
      return Optional.of(cannot + ", feature is locked to " + stage.on());
    }
    return Optional.empty();
  }

  private Optional<String> warning(String name, boolean on) {
    Name stage = known(name).flatMap(gate -> gate.at(emulated)).map(GateStage::name).orElse(null);
    if (stage == Name.DEPRECATED) {
      return Optional.of(setting("deprecated", name, on));
    }
    return stage == Name.GA ? Optional.of(setting("GA", name, on)) : Optional.empty();
  }

  private static String setting(String stage, String name, boolean on) {
    return "setting "
        + stage
        + " feature gate "
        + name
        + "="
        + on
        + ". It will be removed in a future release.";
  }

  private Optional<FeatureGate> known(String name) {
    return FeatureGate.all().stream()
        .filter(gate -> gate.name().equals(name))
        .filter(gate -> gate.at(emulated).map(GateStage::name).orElse(null) != Name.REMOVED)
        .findFirst();
  }

  /** Whether the feature is on; one that is not known is off. */
  public boolean isOn(String name) {
    GateStage stage = known(name).flatMap(gate -> gate.at(emulated)).orElse(null);
    if (stage == null) {
      return false;
    }
    Boolean own = set.get(name);
    if (own != null) {
      return own;
    }
    Boolean all =
        switch (stage.name()) {
          case ALPHA -> set.get(ALL_ALPHA);
          case BETA -> set.get(ALL_BETA);
          case GA, DEPRECATED, REMOVED -> null;
        };
    return (all == null || stage.locked()) ? stage.on() : all;
  }

  /** The version of Kubernetes whose gates these are. */
  public KubeVersion emulated() {
    return emulated;
  }

  /** What was set explicitly. */
  public SortedMap<String, Boolean> set() {
    return set;
  }

  /** One sentence for each gate that was set and will go away. */
  public List<String> warnings() {
    return warnings;
  }

  /** The gates that there are in this version, by name, with their stages. */
  public SortedMap<String, GateStage> stages() {
    SortedMap<String, GateStage> stages = new TreeMap<>();
    for (FeatureGate gate : FeatureGate.all()) {
      known(gate.name())
          .flatMap(found -> found.at(emulated))
          .ifPresent(stage -> stages.put(gate.name(), stage));
    }
    return stages;
  }

  /**
   * A sample of the metric kubernetes_feature_enabled.
   *
   * @param stage empty for GA, else ALPHA, BETA or DEPRECATED
   * @param value 1 where the feature is on, else 0
   */
  public record Sample(String name, String stage, int value) {}

  /** A sample for each gate that there is in this version, by name. */
  public List<Sample> samples() {
    List<Sample> samples = new ArrayList<>();
    samples.add(sample(ALL_ALPHA, Name.ALPHA.name(), set.getOrDefault(ALL_ALPHA, false)));
    samples.add(sample(ALL_BETA, Name.BETA.name(), set.getOrDefault(ALL_BETA, false)));
    stages().forEach((name, stage) -> samples.add(sample(name, stage.metricLabel(), isOn(name))));
    samples.sort(Comparator.comparing(Sample::name));
    return List.copyOf(samples);
  }

  private static Sample sample(String name, String stage, boolean on) {
    return new Sample(name, stage, on ? 1 : 0);
  }

  /** The lines of the help text: alpha and beta gates with their defaults. */
  public List<String> help() {
    List<String> lines = new ArrayList<>();
    lines.add(ALL_ALPHA + "=true|false (ALPHA - default=false)");
    lines.add(ALL_BETA + "=true|false (BETA - default=false)");
    stages()
        .forEach((name, stage) -> {
          if (stage.name() == Name.ALPHA || stage.name() == Name.BETA) {
            lines.add(name + "=true|false (" + stage.name() + " - default=" + stage.on() + ")");
          }
        });
    return lines;
  }
}
