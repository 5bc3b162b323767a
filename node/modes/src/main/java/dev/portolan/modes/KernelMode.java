package dev.portolan.modes;

import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.gates.Platform;
import dev.portolan.mode.Mode;
import dev.portolan.takeover.TakeoverOptions.Scope;
import java.util.List;

/** A mode in which a kernel is programmed: what is true of it whatever its settings. */
public interface KernelMode extends Mode {
  /** The mode as a configuration has it. */
  ProxyMode mode();

  /** Mostly that of the mode. */
  @Override
  default String name() {
    return mode().toString();
  }

  /**
   * The name of the lock for which processes compete that write these rules. Modes that write the
   * same ones share it.
   */
  default String lock() {
    return mode().section();
  }

  /** Whether it can work on this system. */
  default boolean runsOn(Platform platform) {
    return platform == Platform.LINUX;
  }

  /** What a person calls the part of the kernel that it needs; checks of it are named after it. */
  String kernelPart();

  /** The modules of the kernel that it needs, beside those that every mode does. */
  List<String> modules();

  /** Whether nodePorts are served on all addresses of the node by default. */
  boolean servesNodePortsEverywhere();

  /** Whether services are served when the process that wrote the rules has ended. */
  default boolean outlivesItsProcess() {
    return true;
  }

  /** What {@code cleanup --backend} removes. */
  Scope cleanup();

  /** The ending of a file with its rules as text. */
  String extension();

  /** Its rules with these settings; nothing is opened. */
  ModeRules rules(ModeSettings settings);
}
