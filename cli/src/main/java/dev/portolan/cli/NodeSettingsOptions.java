package dev.portolan.cli;

import dev.portolan.core.brain.NodeSettings;
import dev.portolan.core.brain.NodeSettings.LocalMode;
import dev.portolan.core.brain.NodeSettings.NodePortChoice;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The settings of nodes, named like kube-proxy's flags. */
final class NodeSettingsOptions {
  private static final int LONGEST_INTERFACE_NAME = 15;

  @Option(
      names = "--cluster-cidr",
      paramLabel = "CIDR[,CIDR]",
      hideParamSyntax = true,
      split = ",",
      description = "The cluster's pod range, one per family.")
  private @Nullable List<String> clusterCidrs;

  @Option(
      names = "--detect-local-mode",
      paramLabel = "MODE",
      description =
          "How traffic from the node's pods is recognized: ClusterCIDR, NodeCIDR, BridgeInterface"
              + " or InterfaceNamePrefix. Default: ClusterCIDR with --cluster-cidr, otherwise"
              + " NodeCIDR.")
  private String localMode = "";

  @Option(
      names = "--pod-bridge-interface",
      paramLabel = "NAME",
      description = "The bridge that the node's pods are attached to, for BridgeInterface.")
  private String podBridge = "";

  @Option(
      names = "--pod-interface-name-prefix",
      paramLabel = "PREFIX",
      description = "The name prefix of the pods' interfaces, for InterfaceNamePrefix.")
  private String podPrefix = "";

  @Option(
      names = "--nodeport-addresses",
      paramLabel = "WHERE[,WHERE...]",
      hideParamSyntax = true,
      split = ",",
      description =
          "The node's addresses that serve nodePorts: CIDRs, or primary, localhost or all. Default:"
              + " primary.")
  private @Nullable List<String> nodePortAddresses;

  @Option(
      names = "--masquerade-all",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOLEAN",
      description = "Masquerade all traffic to cluster IPs.")
  private boolean masqueradeAll;

  /**
   * What the options say of a node.
   *
   * @param nodeIps addresses to use for the node in place of those that the cluster knows
   */
  NodeSettings settings(List<Ip> nodeIps, Remarks remarks) {
    List<Cidr> ranges = cidrs("--cluster-cidr", given(clusterCidrs));
    LocalMode mode =
        localMode.isEmpty()
            ? ranges.isEmpty() ? LocalMode.NODE_CIDR : LocalMode.CLUSTER_CIDR
            : Choice.of("--detect-local-mode", localMode, List.of(LocalMode.values()));
    if (mode == LocalMode.CLUSTER_CIDR && ranges.isEmpty()) {
      remarks.warn("--detect-local-mode=ClusterCIDR needs --cluster-cidr");
    }
    List<String> nodePorts = given(nodePortAddresses);
    return new NodeSettings(
        mode,
        ranges,
        podInterface(mode),
        nodePorts.isEmpty() ? NodePortChoice.PRIMARY : nodePorts(nodePorts),
        NodeSettings.BOTH,
        nodeIps,
        masqueradeAll);
  }

  /** The options that were given, by name. */
  List<String> given() {
    List<String> names = new ArrayList<>();
    add(names, "--cluster-cidr", !given(clusterCidrs).isEmpty());
    add(names, "--detect-local-mode", !localMode.isEmpty());
    add(names, "--pod-bridge-interface", !podBridge.isEmpty());
    add(names, "--pod-interface-name-prefix", !podPrefix.isEmpty());
    add(names, "--nodeport-addresses", !given(nodePortAddresses).isEmpty());
    add(names, "--masquerade-all", masqueradeAll);
    return names;
  }

  private static void add(List<String> names, String name, boolean given) {
    if (given) {
      names.add(name);
    }
  }

  private String podInterface(LocalMode mode) {
    return switch (mode) {
      case CLUSTER_CIDR, NODE_CIDR -> "";
      case BRIDGE_INTERFACE -> podInterface(mode, "--pod-bridge-interface", podBridge);
      case INTERFACE_NAME_PREFIX -> podInterface(mode, "--pod-interface-name-prefix", podPrefix);
    };
  }

  private static String podInterface(LocalMode mode, String option, String name) {
    if (name.isEmpty()) {
      throw CommandFailure.usage("--detect-local-mode=" + mode + " needs " + option);
    }
    if (name.length() > LONGEST_INTERFACE_NAME
        || name.chars().anyMatch(c -> c <= ' ' || c == '/' || c == 0x7f)) {
      throw bad(
          option,
          name,
          "is not a valid interface name: up to "
              + LONGEST_INTERFACE_NAME
              + " characters, without spaces or slashes");
    }
    return name;
  }

  private static NodePortChoice nodePorts(List<String> words) {
    for (String word : words) {
      if (!Set.of("primary", "localhost", "all").contains(word) && Cidr.parse(word).isEmpty()) {
        throw bad(
            "--nodeport-addresses",
            word,
            "must be a CIDR such as 192.168.0.0/16, or primary, localhost or all");
      }
    }
    return NodePortChoice.parse(words);
  }

  private static List<Cidr> cidrs(String option, List<String> words) {
    List<Cidr> ranges = new ArrayList<>();
    Set<IpFamily> families = EnumSet.noneOf(IpFamily.class);
    for (String word : words) {
      Cidr range =
          Cidr.parse(word)
              .orElseThrow(() ->
                  bad(
                      option,
                      word,
                      "is not a valid CIDR such as 10.244.0.0/16 or fd00:10:244::/56"));
      if (!families.add(range.family())) {
        throw bad(option, word, "is a second " + range.family() + " range; specify one per family");
      }
      ranges.add(range);
    }
    return ranges;
  }

  /** The words that were given, without spaces around them. */
  static List<String> given(@Nullable List<String> words) {
    return words == null
        ? List.of()
        : words.stream().map(String::strip).filter(word -> !word.isEmpty()).toList();
  }

  /** A value that {@code option} may not have. */
  static CommandFailure bad(String option, String value, String problem) {
    return CommandFailure.usage(option + ": '" + Text.printable(value) + "' " + problem);
  }
}
