package dev.portolan.options;

import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeSettings.LocalMode;
import dev.portolan.brain.NodeSettings.NodePortChoice;
import dev.portolan.config.DecisionSettings;
import dev.portolan.config.RecordedSettings;
import dev.portolan.config.StartPlan;
import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.file.ConfigText;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Dataplane;
import dev.portolan.mode.Mode;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Text;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The settings of nodes, named like kube-proxy's flags. */
public final class NodeSettingsOptions {
  private static final int LONGEST_INTERFACE_NAME = 15;

  /** The field of the configuration, in each of its versions. */
  private static final Set<String> CLUSTER_CIDRS =
      Set.of("clusterCIDR", "detectLocal.clusterCIDRs");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A KubeProxyConfiguration (v1alpha1 or v1alpha2). What it says about pods, nodePorts,"
              + " address families, the node's address, masquerading and external IPs applies"
              + " unless an option here says otherwise.")
  private String config = "";

  @Option(
      names = "--cluster-cidr",
      paramLabel = "CIDR[,CIDR]",
      hideParamSyntax = true,
      split = ",",
      description = "Where the cluster's pods live, one range per family.")
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
              + " primary with nftables, otherwise all.")
  private @Nullable List<String> nodePortAddresses;

  @Option(
      names = "--masquerade-all",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOLEAN",
      description = "Masquerade all traffic to cluster IPs.")
  private @Nullable Boolean masqueradeAll;

  @Option(
      names = "--balancing",
      paramLabel = "KIND",
      description =
          "How connections to services without the annotation portolan.dev/balancing are spread:"
              + " random, maglev (by a hash of the client's address and port) or maglev-address"
              + " (of the address). Default: random.")
  private @Nullable String balancing;

  private @Nullable StartPlan plan;

  /** What a recording says that is read, beyond its plan. */
  private @Nullable DecisionSettings recorded;

  /** Takes what is not said here from the recording that {@code source} reads, if it is one. */
  public void follow(SourceOptions source, Remarks remarks) {
    if (!config.isEmpty() || plan != null) {
      return;
    }
    String text = source.recorder(remarks).map(RecordedEvent.Started::configuration).orElse("");
    if (text.isEmpty()) {
      return;
    }
    try {
      RecordedSettings settings = RecordedSettings.read(source.toString(), text);
      plan = settings.plan().orElse(null);
      recorded = settings.decision();
    } catch (ConfigException e) {
      remarks.warn(
          source
              + ": the configuration that was recorded is not used, since it is not one of this"
              + " version: "
              + e.errors().getFirst());
    }
  }

  /** The settings of a configuration file alone; the defaults if its name is empty. */
  public static NodeSettingsOptions of(String config) {
    NodeSettingsOptions options = new NodeSettingsOptions();
    options.config = config;
    return options;
  }

  /**
   * What the options and the file say of the cluster and of a node.
   *
   * @param nodeIps addresses to use for the node in place of those that the cluster knows
   * @param backend what programs the node; empty where the file says it, or nothing does
   */
  public DecisionSettings settings(List<Ip> nodeIps, String backend, Remarks remarks) {
    DecisionSettings base =
        recorded != null
            ? recorded
            : plan(remarks).map(StartPlan::decision).orElse(DecisionSettings.DEFAULT);
    NodeSettings.Builder node = base.node().change();
    List<Cidr> ranges = cidrs("--cluster-cidr", given(clusterCidrs));
    LocalMode mode = localMode(base, ranges);
    node.localMode(mode).podInterface(podInterface(mode, base.node()));
    if (!ranges.isEmpty()) {
      node.clusterCidrs(ranges);
    }
    List<String> nodePorts = given(nodePortAddresses);
    if (!nodePorts.isEmpty()) {
      node.nodePortAddresses(nodePorts(nodePorts));
    } else if (isLeftTo(backend)) {
      boolean everywhere =
          KernelModes.named(backend).map(Mode::servesNodePortsEverywhere).orElse(false);
      node.nodePortAddresses(
          everywhere ? NodePortChoice.parse(List.of("all")) : NodePortChoice.PRIMARY);
    }
    if (!nodeIps.isEmpty()) {
      node.nodeIps(nodeIps);
    }
    if (masqueradeAll != null) {
      node.masqueradeAll(masqueradeAll);
    }
    NodeSettings settings = node.build();
    if (mode == LocalMode.CLUSTER_CIDR && settings.clusterCidrs().isEmpty()) {
      warnOfMissingRanges(remarks);
    }
    DecisionSettings decided = new DecisionSettings(base.cluster(), settings);
    return balancing == null
        ? decided
        : decided.with(Choice.of("--balancing", balancing, List.of(Balancing.Kind.values())));
  }

  /** Names the flag or the field that chose the mode; of what was recorded, its daemon warned. */
  private void warnOfMissingRanges(Remarks remarks) {
    if (!localMode.isEmpty()) {
      remarks.warn("--detect-local-mode=ClusterCIDR needs --cluster-cidr");
    } else if (plan != null) {
      plan.warnings().stream()
          .filter(found -> CLUSTER_CIDRS.contains(found.path()))
          .forEach(found -> remarks.warn(found.toString()));
    }
  }

  /** Whether the nodePort addresses are the defaults of {@code mode}. */
  private boolean isLeftTo(String mode) {
    if (plan == null) {
      return recorded == null;
    }
    return !mode.isEmpty()
        && !KernelModes.named(mode).equals(KernelModes.of(plan.configuration().mode()))
        && plan.source()
            .filter(source ->
                ConfigFile.read(source.file(), source.text())
                    .written()
                    .texts("nodePortAddresses")
                    .isEmpty())
            .isPresent();
  }

  /** What programs the node: {@code mode}, else that of the file, else nftables. */
  Dataplane dataplane(String mode, Remarks remarks) {
    Optional<StartPlan> file = plan(remarks);
    Mode meant =
        mode.isEmpty()
            ? file.flatMap(it -> KernelModes.of(it.configuration().mode()))
                .orElse(KernelModes.here().getFirst())
            : KernelModes.named(mode).orElseThrow();
    return meant
        .rules(file.map(ModeConfiguration::of).orElseGet(ModeConfiguration::byDefault))
        .dataplane();
  }

  /** Everything that can be explained, what these options mean first. */
  public List<Dataplane> dataplanes(Remarks remarks) {
    Dataplane first = dataplane("", remarks);
    return Stream.concat(
            Stream.of(first),
            KernelModes.ALL.stream()
                .map(Mode::name)
                .filter(mode -> !mode.equals(first.name()))
                .map(mode -> dataplane(mode, remarks)))
        .toList();
  }

  /** Reads the file as the daemon does; all that is wrong with it is printed before it fails. */
  public Optional<StartPlan> plan(Remarks remarks) {
    if (config.isEmpty() || plan != null) {
      return Optional.ofNullable(plan);
    }
    try {
      plan = StartPlan.ofFile(config, ConfigText::read, Platform.current());
      return Optional.of(plan);
    } catch (ConfigException e) {
      e.errors().forEach(error -> remarks.say("error: " + error));
      throw CommandFailure.input(
          "--config: "
              + Text.printable(config)
              + " is not a usable configuration, "
              + ConfigFindings.count(e.errors()));
    }
  }

  private LocalMode localMode(DecisionSettings base, List<Cidr> ranges) {
    if (!localMode.isEmpty()) {
      return Choice.of("--detect-local-mode", localMode, List.of(LocalMode.values()));
    }
    boolean implied = plan == null && recorded == null && !ranges.isEmpty();
    return implied ? LocalMode.CLUSTER_CIDR : base.node().localMode();
  }

  /** The options that were given, by name. */
  List<String> given() {
    List<String> names = new ArrayList<>();
    add(names, "--config", !config.isEmpty());
    add(names, "--cluster-cidr", !given(clusterCidrs).isEmpty());
    add(names, "--detect-local-mode", !localMode.isEmpty());
    add(names, "--pod-bridge-interface", !podBridge.isEmpty());
    add(names, "--pod-interface-name-prefix", !podPrefix.isEmpty());
    add(names, "--nodeport-addresses", !given(nodePortAddresses).isEmpty());
    add(names, "--masquerade-all", masqueradeAll != null);
    add(names, "--balancing", balancing != null);
    return names;
  }

  private static void add(List<String> names, String name, boolean given) {
    if (given) {
      names.add(name);
    }
  }

  private String podInterface(LocalMode mode, NodeSettings base) {
    String unsaid = mode == base.localMode() ? base.podInterface() : "";
    return switch (mode) {
      case CLUSTER_CIDR, NODE_CIDR -> "";
      case BRIDGE_INTERFACE ->
          podInterface(mode, "--pod-bridge-interface", podBridge.isEmpty() ? unsaid : podBridge);
      case INTERFACE_NAME_PREFIX ->
          podInterface(
              mode, "--pod-interface-name-prefix", podPrefix.isEmpty() ? unsaid : podPrefix);
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
        throw bad(option, word, "is a second " + range.family() + " range; give one per family");
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
