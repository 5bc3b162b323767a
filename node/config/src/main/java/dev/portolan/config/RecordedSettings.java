package dev.portolan.config;

import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeSettings.LocalMode;
import dev.portolan.brain.NodeSettings.NodePortChoice;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Balancing;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a recording has of the configuration under which it was decided: a file with all defaults,
 * if there was one, and before it, as comments, the flags that no file can contain.
 *
 * @param plan of the file
 * @param decision what file and comments say of the cluster and the node
 */
public record RecordedSettings(Optional<StartPlan> plan, DecisionSettings decision) {
  private static final String BALANCING = "balancing";
  private static final String FAMILIES = "families";
  private static final String PROXY_NAME = "service-proxy-name";
  private static final String LOCAL_MODE = "detect-local-mode";
  private static final String CLUSTER_CIDRS = "cluster-cidr";
  private static final String POD_INTERFACE = "pod-interface";
  private static final String NODE_PORTS = "nodeport-addresses";
  private static final String PRIMARY = "primary";
  private static final String MASQUERADE_ALL = "masquerade-all";
  private static final String COMMENT = "# ";
  private static final String SEPARATOR = ": ";

  /** The text for a daemon's recording; {@code families} are those that its node has. */
  public static String text(StartPlan plan, Set<IpFamily> families) {
    Map<String, String> comments = new LinkedHashMap<>();
    comments.put(BALANCING, plan.flags().text("balancing"));
    comments.put(FAMILIES, words(families.stream().sorted().toList()));
    return text(comments, Optional.of(plan));
  }

  /** The text for a brain's recording, which decides so for nodes of any kind. */
  public static String text(Optional<StartPlan> plan, DecisionSettings decided) {
    Map<String, String> comments = new LinkedHashMap<>();
    NodeSettings node = decided.node();
    comments.put(BALANCING, decided.cluster().balancing().toString());
    decided.cluster().serviceProxyName().ifPresent(name -> comments.put(PROXY_NAME, name));
    comments.put(LOCAL_MODE, node.localMode().toString());
    comments.put(CLUSTER_CIDRS, words(node.clusterCidrs()));
    comments.put(POD_INTERFACE, node.podInterface());
    NodePortChoice ports = node.nodePortAddresses();
    comments.put(NODE_PORTS, ((ports.primary() ? PRIMARY + " " : "") + words(ports.ranges())));
    comments.put(MASQUERADE_ALL, String.valueOf(node.masqueradeAll()));
    return text(comments, plan);
  }

  private static String text(Map<String, String> comments, Optional<StartPlan> plan) {
    StringBuilder text = new StringBuilder();
    comments.forEach((name, value) ->
        text.append(COMMENT).append(name).append(SEPARATOR).append(value.strip()).append('\n'));
    return text.append(plan.map(StartPlan::asFile).orElse("")).toString();
  }

  private static String words(Collection<?> values) {
    return values.stream().map(Object::toString).collect(Collectors.joining(" "));
  }

  /**
   * What such a text says.
   *
   * @param name what the file is called in messages
   * @throws ConfigException where this version does not accept the configuration
   */
  public static RecordedSettings read(String name, String text) {
    Map<String, String> comments = new LinkedHashMap<>();
    text.lines()
        .takeWhile(line -> line.startsWith(COMMENT))
        .map(line -> line.substring(COMMENT.length()).split(SEPARATOR, 2))
        .filter(parts -> parts.length == 2)
        .forEach(parts -> comments.put(parts[0], parts[1]));
    Optional<StartPlan> plan =
        text.lines().allMatch(line -> line.startsWith("#") || line.isBlank())
            ? Optional.empty()
            : Optional.of(StartPlan.ofFile(name, file -> text, Platform.current()));
    DecisionSettings said = plan.map(StartPlan::decision).orElse(DecisionSettings.DEFAULT);
    return new RecordedSettings(
        plan, new DecisionSettings(cluster(said.cluster(), comments), node(said.node(), comments)));
  }

  private static BrainSettings cluster(BrainSettings said, Map<String, String> comments) {
    BrainSettings named =
        comments.containsKey(PROXY_NAME)
            ? said.servingProxy(Optional.of(comments.get(PROXY_NAME)))
            : said;
    return Balancing.Kind.parse(comments.getOrDefault(BALANCING, ""))
        .map(named::with)
        .orElse(named);
  }

  private static NodeSettings node(NodeSettings said, Map<String, String> comments) {
    NodeSettings.Builder node = said.change();
    LocalMode.parse(comments.getOrDefault(LOCAL_MODE, "")).ifPresent(node::localMode);
    given(comments, CLUSTER_CIDRS)
        .ifPresent(ranges -> node.clusterCidrs(ranges.stream().map(Cidr::of).toList()));
    Optional.ofNullable(comments.get(POD_INTERFACE)).ifPresent(node::podInterface);
    given(comments, NODE_PORTS)
        .ifPresent(addresses -> node.nodePortAddresses(NodePortChoice.parse(addresses)));
    Optional.ofNullable(comments.get(MASQUERADE_ALL))
        .ifPresent(all -> node.masqueradeAll(Boolean.parseBoolean(all)));
    Set<IpFamily> families =
        IpFamily.ALL.stream()
            .filter(
                family -> given(comments, FAMILIES).orElse(List.of()).contains(family.toString()))
            .collect(Collectors.toSet());
    return families.isEmpty() ? node.build() : node.build().with(families);
  }

  private static Optional<List<String>> given(Map<String, String> comments, String name) {
    return Optional.ofNullable(comments.get(name))
        .map(value -> value.isBlank() ? List.of() : List.of(value.split(" ")));
  }
}
