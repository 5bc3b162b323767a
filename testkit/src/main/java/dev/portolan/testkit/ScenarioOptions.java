package dev.portolan.testkit;

import static java.util.stream.Collectors.toSet;

import dev.portolan.core.brain.NodeSettings;
import dev.portolan.core.brain.NodeSettings.LocalMode;
import dev.portolan.core.brain.NodeSettings.NodePortChoice;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects the options of a scenario, which have the names of kube-proxy's flags. */
public final class ScenarioOptions {
  private final Set<String> given = new HashSet<>();
  private String node = "worker-1";
  private LocalMode localMode = NodeSettings.DEFAULT.localMode();
  private List<Cidr> clusterCidrs = List.of();
  private String podInterface = "";
  private NodePortChoice nodePortAddresses = NodePortChoice.PRIMARY;
  private Set<IpFamily> families = NodeSettings.BOTH;
  private List<Ip> nodeIps = List.of();
  private boolean masqueradeAll;

  /** Takes an option. Says what is wrong where it cannot. */
  public void set(String name, String value) {
    if (!given.add(name)) {
      throw new IllegalArgumentException("option '" + name + "' is a duplicate");
    }
    switch (name) {
      case "node" -> node = value;
      case "detect-local-mode" -> localMode = mode(value);
      case "cluster-cidr" -> {
        clusterCidrs = split(value).stream().map(Cidr::of).toList();
        implyMode(LocalMode.CLUSTER_CIDR);
      }
      case "pod-bridge-interface" -> {
        podInterface = value;
        implyMode(LocalMode.BRIDGE_INTERFACE);
      }
      case "pod-interface-name-prefix" -> {
        podInterface = value;
        implyMode(LocalMode.INTERFACE_NAME_PREFIX);
      }
      case "nodeport-addresses" -> nodePortAddresses = NodePortChoice.parse(split(value));
      case "families" ->
          families = split(value).stream().map(ScenarioOptions::family).collect(toSet());
      case "node-ip-override" -> nodeIps = split(value).stream().map(Ip::of).toList();
      case "masquerade-all" -> {
        if (!value.equals("true") && !value.equals("false")) {
          throw new IllegalArgumentException("masquerade-all is true or false");
        }
        masqueradeAll = value.equals("true");
      }
      default -> throw new IllegalArgumentException("unknown option '" + name + "'");
    }
  }

  /** The node that is looked from. */
  public String node() {
    return node;
  }

  /** What the options say of the node. */
  public NodeSettings settings() {
    return new NodeSettings(
        localMode, clusterCidrs, podInterface, nodePortAddresses, families, nodeIps, masqueradeAll);
  }

  /** An option that one mode alone uses asks for that mode, unless another is asked for. */
  private void implyMode(LocalMode mode) {
    if (!given.contains("detect-local-mode")) {
      localMode = mode;
    }
  }

  private static IpFamily family(String value) {
    return Arrays.stream(IpFamily.values())
        .filter(family -> family.toString().equals(value))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("families are IPv4 and IPv6"));
  }

  private static LocalMode mode(String value) {
    return Arrays.stream(LocalMode.values())
        .filter(mode -> mode.toString().equals(value))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "detect-local-mode is one of " + Arrays.toString(LocalMode.values())));
  }

  private static List<String> split(String value) {
    return value.isEmpty() ? List.of() : List.of(value.split("\\s*,\\s*", -1));
  }
}
