package dev.portolan.options;

import dev.portolan.config.DecisionSettings;
import dev.portolan.config.StartPlan;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Dataplane;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The node, and its settings. */
public final class NodeOptions {
  @Option(
      names = {"--node", "--hostname-override"},
      paramLabel = "NODE",
      description = "The node. Optional if there is only one.")
  private @Nullable String node;

  /** As KPNG's programs call it. */
  @Option(names = "--node-name", hidden = true)
  void nodeName(String name) {
    node = name;
  }

  @Mixin private final NodeSettingsOptions settings = new NodeSettingsOptions();

  /** The node whose daemon recorded what is read; empty where that is not known. */
  private String recorded = "";

  @Option(
      names = "--bind-address",
      paramLabel = "IP[,IP]",
      hideParamSyntax = true,
      split = ",",
      description = "The node's own address, instead of the one in its Node object.")
  private @Nullable List<String> bindAddresses;

  /** The node that was named, or else that of the recording that is read, if any. */
  public Optional<String> node() {
    return Optional.of(node == null ? recorded : node.strip()).filter(name -> !name.isEmpty());
  }

  /** Takes what is not said here from the recording that {@code source} reads, if it is one. */
  public void follow(SourceOptions source, Remarks remarks) {
    recorded = source.recordedNode(remarks);
    settings.follow(source, remarks);
  }

  /**
   * What the options say of the cluster and of the node.
   *
   * @param mode what programs the node; empty where the file says it, or nothing does
   */
  public DecisionSettings settings(String mode, Remarks remarks) {
    return settings.settings(nodeIps(), mode, remarks);
  }

  /** What a daemon with the configuration file would start with, if there is one. */
  public Optional<StartPlan> plan(Remarks remarks) {
    return settings.plan(remarks);
  }

  /** What programs the node: {@code mode}, else that of the file, else nftables. */
  public Dataplane dataplane(String mode, Remarks remarks) {
    return settings.dataplane(mode, remarks);
  }

  /** The node to ask a brain about; its settings are the brain's own. */
  public Optional<String> nodeOfBrain() {
    List<String> given = new ArrayList<>(settings.given());
    if (!nodeIps().isEmpty()) {
      given.add("--bind-address");
    }
    if (!given.isEmpty()) {
      throw CommandFailure.usage(
          given.getFirst() + ": with --api, the brain's settings apply; remove it");
    }
    return node();
  }

  /** The addresses that were given; the unspecified ones mean that none was. */
  private List<Ip> nodeIps() {
    List<Ip> ips = new ArrayList<>();
    Set<IpFamily> families = EnumSet.noneOf(IpFamily.class);
    for (String word : NodeSettingsOptions.given(bindAddresses)) {
      Ip ip =
          Ip.parse(word)
              .orElseThrow(() ->
                  NodeSettingsOptions.bad(
                      "--bind-address",
                      word,
                      "is not a valid IP address such as 192.168.10.11 or fd00::11"));
      if (ip.isUnspecified()) {
        continue;
      }
      if (!families.add(ip.family())) {
        throw NodeSettingsOptions.bad(
            "--bind-address", word, "is a second " + ip.family() + " address; give one per family");
      }
      ips.add(ip);
    }
    return ips;
  }
}
