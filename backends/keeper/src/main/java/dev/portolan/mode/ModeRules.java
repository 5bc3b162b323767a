package dev.portolan.mode;

import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeImage;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The rules of a mode with its settings. What talks to a kernel throws what its backend throws. */
public interface ModeRules {
  /** What they do with packets that no endpoint gets. */
  Dataplane dataplane();

  /** Whether a kernel is programmed at all; otherwise all that stands here of one is empty. */
  default boolean areOfKernel() {
    return true;
  }

  /** Opens the backend that writes them; nothing is written yet. */
  OpenBackend open();

  /**
   * The same.
   *
   * @param obstacles gets the reason why a part of the mode does not work on this host, as a
   *     sentence, and nothing when it does; only from modes that can do without that part
   */
  default OpenBackend open(Consumer<Optional<String>> obstacles) {
    return open();
  }

  /**
   * Does what the mode needs of the host and what a daemon may lack the privilege for; returns what
   * was done, in sentences.
   */
  List<String> init();

  /** Those of one family for {@code image}, for people and for the tools that load them. */
  String text(NodeImage image, IpFamily family);

  /** The names of its tables of nftables. */
  List<String> tables();

  /** What of them is not a leftover of another proxy. */
  Set<Own> own();

  /** Whether the kernel has rules of this mode; those of iptables may be a kube-proxy's. */
  boolean arePresent();

  /**
   * Asks the kernel, and the programs that are needed, whether they can do what the rules need.
   *
   * @param sample an image whose services need every kind of rule
   * @param used whether the node is in this mode; for another one nothing is loaded
   */
  KernelProbe probe(NodeImage sample, boolean used);

  /**
   * The traffic of services that the kernel has counted by rules of this mode, no matter which
   * program wrote them.
   */
  default List<TrafficCount> traffic() {
    return List.of();
  }

  /** What is measured beside what is in every mode. */
  default List<ModeMetric> measured() {
    return List.of();
  }

  /** What the kernel has of this mode, for a support case. */
  String dump();
}
