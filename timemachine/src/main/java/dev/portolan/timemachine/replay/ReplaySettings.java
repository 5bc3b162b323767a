package dev.portolan.timemachine.replay;

import dev.portolan.config.DecisionSettings;
import dev.portolan.config.RecordedSettings;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.source.record.RecordedEvent;
import java.util.function.Consumer;

/** The settings under which a process decided, as its recording has them. */
public final class ReplaySettings {
  private static final String NAME = "the recorded configuration";

  private ReplaySettings() {}

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
      return RecordedSettings.read(NAME, started.configuration()).decision();
    } catch (ConfigException e) {
      warnings.accept(
          NAME
              + " cannot be read, so defaults apply: "
              + e.errors().stream().map(Object::toString).findFirst().orElse(""));
      return DecisionSettings.DEFAULT;
    }
  }
}
