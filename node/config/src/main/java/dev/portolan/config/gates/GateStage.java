package dev.portolan.config.gates;

import java.util.List;

/**
 * What a feature gate is from one release on.
 *
 * @param since the first release of the stage
 * @param name ALPHA, BETA, GA, DEPRECATED or REMOVED
 * @param on the default
 * @param locked whether it cannot be set to anything but the default
 */
public record GateStage(KubeVersion since, Name name, boolean on, boolean locked) {
  /** The stages of a feature. */
  public enum Name {
    ALPHA,
    BETA,
    GA,
    DEPRECATED,
    REMOVED
  }

  /** Reads {@code 1.40 DEPRECATED off locked} or {@code 1.46 removed}. */
  static GateStage parse(String text) {
    List<String> words = List.of(text.strip().split(" +", -1));
    KubeVersion since = KubeVersion.parse(words.getFirst()).orElseThrow();
    if (words.get(1).equals("removed")) {
      return new GateStage(since, Name.REMOVED, false, true);
    }
    return new GateStage(
        since, Name.valueOf(words.get(1)), words.get(2).equals("on"), words.contains("locked"));
  }

  /** The stage as the metric kubernetes_feature_enabled names it. */
  public String metricLabel() {
    return name == Name.GA ? "" : name.name();
  }

  @Override
  public String toString() {
    return since + " " + name + (on ? " on" : " off") + (locked ? " locked" : "");
  }
}
