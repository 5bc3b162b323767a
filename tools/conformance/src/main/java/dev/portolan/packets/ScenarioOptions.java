package dev.portolan.packets;

import static java.util.stream.Collectors.toSet;

import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.FamilyPolicy;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeSettings.LocalMode;
import dev.portolan.brain.NodeSettings.NodePortChoice;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Balancing;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Collects the options of a scenario, which have the names of kube-proxy's flags. */
public final class ScenarioOptions {
  private final Set<String> given = new HashSet<>();
  private final NodeSettings.Builder settings = NodeSettings.DEFAULT.change();
  private String node = "worker-1";
  private boolean allowExternalIps = BrainSettings.DEFAULT.allowExternalIps();
  private boolean keepDeletedNodes = BrainSettings.DEFAULT.keepDeletedNodes();
  private Optional<String> serviceProxyName = Optional.empty();
  private Balancing.Kind balancing = Balancing.Kind.RANDOM;

  /** Takes an option. Says what is wrong where it cannot. */
  public void set(String name, String value) {
    if (!given.add(name)) {
      throw new IllegalArgumentException("option '" + name + "' is a duplicate");
    }
    switch (name) {
      case "node" -> node = value;
      case "detect-local-mode" -> settings.localMode(mode(value));
      case "cluster-cidr" -> {
        settings.clusterCidrs(split(value).stream().map(Cidr::of).toList());
        implyMode(LocalMode.CLUSTER_CIDR);
      }
      case "pod-bridge-interface" -> {
        settings.podInterface(value);
        implyMode(LocalMode.BRIDGE_INTERFACE);
      }
      case "pod-interface-name-prefix" -> {
        settings.podInterface(value);
        implyMode(LocalMode.INTERFACE_NAME_PREFIX);
      }
      case "nodeport-addresses" -> settings.nodePortAddresses(NodePortChoice.parse(split(value)));
      case "families" ->
          settings.families(split(value).stream().map(ScenarioOptions::family).collect(toSet()));
      case "ip-family-policy" -> settings.familyPolicy(policy(value));
      case "node-ip-override" -> settings.nodeIps(split(value).stream().map(Ip::of).toList());
      case "masquerade-all" -> settings.masqueradeAll(truth(name, value));
      case "allow-external-ips" -> allowExternalIps = truth(name, value);
      case "keep-deleted-nodes" -> keepDeletedNodes = truth(name, value);
      case "service-proxy-name" -> serviceProxyName = Optional.of(value);
      case "balancing" ->
          balancing =
              Balancing.Kind.parse(value)
                  .orElseThrow(() ->
                      new IllegalArgumentException(
                          "balancing is one of " + Arrays.toString(Balancing.Kind.values())));
      default -> throw new IllegalArgumentException("unknown option '" + name + "'");
    }
  }

  /** The node that is looked from. */
  public String node() {
    return node;
  }

  /** What the options say of the node. */
  public NodeSettings settings() {
    return settings.build();
  }

  /** What the options say of the cluster. */
  public BrainSettings cluster() {
    return new BrainSettings(allowExternalIps, keepDeletedNodes, serviceProxyName, balancing);
  }

  /** An option that one mode alone uses asks for that mode, unless another is asked for. */
  private void implyMode(LocalMode mode) {
    if (!given.contains("detect-local-mode")) {
      settings.localMode(mode);
    }
  }

  private static boolean truth(String name, String value) {
    if (!value.equals("true") && !value.equals("false")) {
      throw new IllegalArgumentException(name + " is true or false");
    }
    return value.equals("true");
  }

  private static FamilyPolicy policy(String value) {
    return FamilyPolicy.parse(value)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "ip-family-policy is one of SingleStack, PreferDualStack and RequireDualStack"));
  }

  private static IpFamily family(String value) {
    return Arrays.stream(IpFamily.values())
        .filter(family -> family.toString().equals(value))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("families are IPv4 and IPv6"));
  }

  private static LocalMode mode(String value) {
    return LocalMode.parse(value)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "detect-local-mode is one of " + Arrays.toString(LocalMode.values())));
  }

  private static List<String> split(String value) {
    return value.isEmpty() ? List.of() : List.of(value.split("\\s*,\\s*", -1));
  }
}
