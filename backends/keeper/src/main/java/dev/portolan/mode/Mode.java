package dev.portolan.mode;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A way to program a kernel, as one object that its backend's module offers: what is true of it
 * whatever its settings. Anyone may write one.
 */
public interface Mode {
  /** The name of its backend, as users write it. */
  String name();

  /** The mode as configurations and {@code --proxy-mode} name it. */
  default String word() {
    return name();
  }

  /** The section of a configuration with its settings; modes that share rules share it. */
  default String section() {
    return word();
  }

  /**
   * The name of the lock for which processes compete that write these rules. Modes that write the
   * same ones share it.
   */
  default String lock() {
    return section();
  }

  /** Whether it works on Windows, rather than on Linux. */
  default boolean isForWindows() {
    return false;
  }

  /** The modes all of whose rules it has too, beside something of its own. */
  default List<Mode> includes() {
    return List.of();
  }

  /** The settings that are its own; modes that share one have the same object. */
  default List<Setting<?>> settings() {
    return List.of();
  }

  /**
   * The fields of kube-proxy's configuration that are for this mode alone and that commands take as
   * options, by their paths in its latest version; what flags say of them is said of the options.
   */
  default List<String> fields() {
    return List.of();
  }

  /** What a person calls the part of the kernel that it needs; checks of it are named after it. */
  String kernelPart();

  /** The modules of the kernel that it needs, beside those that every mode does. */
  default List<String> modules() {
    return List.of();
  }

  /** The oldest release of the kernel on which it works, such as 5.13; empty for any. */
  default String leastKernel() {
    return "";
  }

  /** The capabilities that it needs beside CAP_NET_ADMIN, without CAP_. */
  default Set<String> capabilities() {
    return Set.of();
  }

  /** A file of the host that is locked while rules are written. */
  default Optional<Path> hostLock() {
    return Optional.empty();
  }

  /** Whether nodePorts on localhost need route_localnet with these settings. */
  default boolean routesLocalhost(ModeSettings settings) {
    return false;
  }

  /** By what a firewall knows packets that are forwarded for services. */
  default Forwarded forwarded() {
    return Forwarded.TRANSLATED;
  }

  /**
   * The chain of iptables in which its own rules accept what is forwarded, wherever a firewall's
   * chain leads to it; empty where it has none.
   */
  default Optional<String> forwardChain() {
    return Optional.empty();
  }

  /** Whether nodePorts are served on all addresses of the node by default. */
  boolean servesNodePortsEverywhere();

  /** Whether services are served when the process that wrote the rules has ended. */
  default boolean outlivesItsProcess() {
    return true;
  }

  /** Who keeps a client with its endpoint, and where; half a sentence for those who move away. */
  default String keepsAffinity() {
    return "mode " + word();
  }

  /** Where its rules are seen; half a sentence for those who move away. */
  default String isSeenIn() {
    return "the rules of mode " + word();
  }

  /** What {@code cleanup --backend} removes. */
  default Scope cleanup() {
    return Scope.OURS;
  }

  /** The ending of a file with its rules as text. */
  String extension();

  /** Its rules with these settings; nothing is opened. */
  ModeRules rules(ModeSettings settings);
}
