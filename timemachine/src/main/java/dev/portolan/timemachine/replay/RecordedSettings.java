package dev.portolan.timemachine.replay;

import dev.portolan.config.DecisionSettings;
import dev.portolan.config.StartPlan;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.node.Balancing;
import dev.portolan.source.record.RecordedEvent;
import java.util.function.Consumer;

/** The settings under which a process decided, as its recording has them. */
public final class RecordedSettings {
  private static final String NAME = "the recorded configuration";

  private RecordedSettings() {}

  /**
   * What {@code started} says; where it has no configuration, or one of another version that cannot
   * be read, what applies without one.
   *
   * @param warnings told why a configuration does not count
   */
  public static DecisionSettings of(RecordedEvent.Started started, Consumer<String> warnings) {
    if (started.configuration().isEmpty()) {
      return DecisionSettings.DEFAULT;
    }
    try {
      String text = started.configuration();
      DecisionSettings settings =
          StartPlan.ofFile(NAME, file -> text, Platform.current()).decision();
      return StartPlan.balancingIn(text)
          .flatMap(Balancing.Kind::parse)
          .map(settings::with)
          .orElse(settings);
    } catch (ConfigException e) {
      warnings.accept(
          NAME
              + " cannot be read, so defaults apply: "
              + e.errors().stream().map(Object::toString).findFirst().orElse(""));
      return DecisionSettings.DEFAULT;
    }
  }
}
