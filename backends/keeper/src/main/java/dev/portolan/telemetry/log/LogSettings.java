package dev.portolan.telemetry.log;

import java.time.Duration;
import java.util.List;

/**
 * How the logs of a process are written.
 *
 * @param json whether lines are JSON; else text, as klog writes it
 * @param verbosity the level up to which every component writes
 * @param components the levels of single components
 * @param splitStream whether informational lines go to a stream of their own
 * @param infoBufferSize how much of that stream is buffered: a quantity such as {@code 64Ki}
 * @param flushFrequency how long a line may wait in the buffer
 */
public record LogSettings(
    boolean json,
    long verbosity,
    List<Component> components,
    boolean splitStream,
    String infoBufferSize,
    Duration flushFrequency) {
  public LogSettings {
    components = List.copyOf(components);
  }

  /** The level up to which components write whose names match a glob. */
  public record Component(String pattern, long verbosity) {}
}
