package dev.portolan.timemachine.diff;

import dev.portolan.compare.decisions.DecidedState;
import dev.portolan.config.DecisionSettings;
import dev.portolan.config.StartPlan;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.text.Tree;
import dev.portolan.mode.Mode;
import dev.portolan.mode.ModeRules;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.options.NodeSettingsOptions;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.Remarks;
import java.util.List;
import java.util.Optional;

/**
 * One side of a diff: a cluster, a configuration and a backend, each as it was named.
 *
 * @param source where the cluster comes from, for people
 * @param config the configuration file; empty for the defaults
 * @param backend the backend; empty for that of the configuration
 */
@Tree.Fields("source config")
record DiffSide(
    String source,
    ClusterImage cluster,
    NodeSettingsOptions options,
    String config,
    String backend) {
  /** What is decided. */
  DecidedState state(Remarks remarks) {
    DecisionSettings settings = options.settings(List.of(), backend, remarks);
    return new DecidedState(cluster, settings.cluster(), settings.node());
  }

  /** The rules that a node gets. */
  ModeRules rules(Remarks remarks) {
    Optional<StartPlan> plan = options.plan(remarks);
    return mode(plan)
        .rules(plan.map(ModeConfiguration::of).orElseGet(ModeConfiguration::byDefault));
  }

  /** What programs a node. */
  Mode mode(Optional<StartPlan> plan) {
    if (!backend.isEmpty()) {
      return KernelModes.named(backend)
          .orElseGet(() ->
              KernelModes.named(
                      Choice.of(
                          "--backend", backend, KernelModes.ALL.stream().map(Mode::name).toList()))
                  .orElseThrow());
    }
    return plan.flatMap(it -> KernelModes.of(it.configuration().mode()))
        .orElse(KernelModes.here().getFirst());
  }
}
