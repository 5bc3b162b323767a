package dev.portolan.inspection.trace;

import dev.portolan.client.Connection;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Destination;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.decision.LocalDecision;
import dev.portolan.decision.RemoteDecision;
import dev.portolan.decision.RemoteExplanation;
import dev.portolan.explain.Client;
import dev.portolan.explain.ExplainQuestion;
import dev.portolan.explain.Target;
import dev.portolan.inspection.KernelAccess;
import dev.portolan.modes.KernelModes;
import dev.portolan.options.ApiOptions;
import dev.portolan.options.NetworkNamespaceOption;
import dev.portolan.options.NodeOptions;
import dev.portolan.options.SourceOptions;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.StopSignal;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.query.Output;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.kernel.KernelRulesets;
import dev.portolan.wiring.Visitor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Follows a connection through the rules of this kernel, and says whether explain is right. */
@Command(
    name = "trace",
    header = "Follow a connection through the rules in this node's kernel.",
    customSynopsis = {
      "portolan trace [--from SOURCE|--api ADDRESS] [--node NODE] TARGET",
      "       portolan trace [--from SOURCE|--api ADDRESS] --live TARGET"
    },
    sortOptions = false,
    footerHeading =
        "%nThe rules are read from the kernel, of Portolan or of a kube-proxy, and changed%nin no"
            + " way. Exit status: 0 if they do what 'portolan explain' says, 1 if"
            + " not.%n%nExamples:%n",
    footer = {
      "  portolan trace shop/web:http",
      "  portolan trace --from kube --node worker-1 10.96.0.10:53/udp --client node",
      "  portolan trace --from file:examples/shop --node worker-1 --netns my-node \\",
      "    10.96.20.10:80/tcp",
      "  portolan trace --live --client 10.244.1.7 10.96.0.10:53/udp"
    })
public final class TraceCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      paramLabel = "TARGET",
      description =
          "A service (shop/web, shop/web:http, web.shop.svc:80), an address (10.96.0.10:53/udp,"
              + " [fd00::10]:80, a load balancer's), a URL (http://web.shop.svc) or a nodePort"
              + " (30080, :30080/udp).")
  private String target = "";

  @Mixin private final ApiOptions api = new ApiOptions();
  @Mixin private final SourceOptions source = new SourceOptions();
  @Mixin private final NodeOptions node = new NodeOptions();

  @Option(
      names = "--client",
      paramLabel = "CLIENT",
      description =
          "The client: pod (on this node), pod/NAMESPACE/NAME, node, external, or an IP address."
              + " Default: pod for a cluster IP, node for a loopback address, otherwise external.")
  private @Nullable String client;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "The namespace of a service named without one. Default: default.")
  private String namespace = Target.DEFAULT_NAMESPACE;

  @Option(
      names = "--proxy-mode",
      paramLabel = "MODE",
      description =
          "The mode of the rules, where there are rules of several: nftables, iptables, ipvs or"
              + " ebpf. Default: the one that is found.")
  private String mode = "";

  @Mixin private final NetworkNamespaceOption netns = new NetworkNamespaceOption();
  @Mixin private final LiveOptions live = new LiveOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, yaml, json or jsonpath=TEMPLATE. Default: text.")
  private String output = "text";

  /** What is explained, and what is known of the node and the cluster. */
  private record Said(
      List<Explanation> explanations, NodeImage image, Optional<ClusterImage> cluster) {}

  /** Prints to {@code terminal}. */
  public TraceCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Output form = Output.textOrTree(output);
    live.check();
    String wanted = mode.isEmpty() ? "" : Choice.of("--proxy-mode", mode, KernelModes.words());
    Target asked = Choice.read("", () -> Target.parse(target, namespace));
    Optional<Client> who =
        Optional.ofNullable(client).map(text -> Choice.read("--client", () -> Client.parse(text)));
    Remarks remarks = new Remarks(terminal);
    boolean remote = api.isAsked(source);
    Optional<Path> namespaceFile = netns.path();
    Ruleset rules = rules(namespaceFile, wanted, remarks);
    NodeNetwork network = KernelAccess.read(() -> NodeNetwork.read(namespaceFile));
    List<TracedConnection> traced =
        Choice.read(
            "",
            () -> {
              Said said =
                  remote ? ask(asked, who, wanted, remarks) : decide(asked, who, rules, remarks);
              try (Waiting _ = Waiting.busy(() -> "following the connection", remarks)) {
                return trace(said, rules, network);
              }
            });
    if (live.isWanted()) {
      return StopSignal.during(
          terminal,
          () ->
              print(
                  form,
                  KernelAccess.read(
                      () -> live.watch().packets(traced, rules, namespaceFile, client, remarks))));
    }
    return print(form, traced);
  }

  private int print(Output form, List<TracedConnection> traced) {
    if (form.isTree()) {
      form.print(TraceTree.of(target, traced), true, terminal);
    } else {
      TraceText text = new TraceText(terminal);
      for (int i = 0; i < traced.size(); i++) {
        if (i > 0) {
          terminal.print("");
        }
        text.print(traced.get(i));
      }
    }
    return traced.stream().allMatch(it -> it.differences().isEmpty()) ? 0 : CommandFailure.FAILED;
  }

  /** The rules that are meant; where two modes serve, the person has to choose. */
  private Ruleset rules(Optional<Path> namespaceFile, String wanted, Remarks remarks) {
    List<Ruleset> found;
    try (Waiting _ = Waiting.busy(() -> "reading the kernel's rules", remarks)) {
      found = KernelAccess.read(() -> KernelRulesets.read(namespaceFile));
    }
    List<Ruleset> fitting =
        found.stream()
            .filter(it -> wanted.isEmpty() || KernelRulesets.mode(it).equals(wanted))
            .toList();
    if (fitting.isEmpty()) {
      throw CommandFailure.missing(
          netns
              + " has no rules for services"
              + (wanted.isEmpty() ? "" : " of mode " + wanted)
              + ": neither Portolan nor kube-proxy has programmed it; run this on a node, or name"
              + " its network namespace with --netns");
    }
    if (fitting.size() > 1) {
      remarks.warn(
          "there are rules of several modes; the first are traced, choose with --proxy-mode: "
              + String.join("; ", fitting.stream().map(Ruleset::description).toList()));
    }
    List<String> unseen =
        KernelAccess.read(() -> KernelRulesets.unseen(fitting.getFirst(), namespaceFile));
    if (!unseen.isEmpty()) {
      remarks.warn(
          "packets meet other rules too, which are not followed here and may drop them: "
              + String.join("; ", unseen));
    }
    return fitting.getFirst();
  }

  private Said decide(Target asked, Optional<Client> who, Ruleset rules, Remarks remarks) {
    String found = mode.isEmpty() ? KernelRulesets.mode(rules) : mode;
    LocalDecision decision = LocalDecision.read(source, node, found, remarks);
    ExplainQuestion question = new ExplainQuestion(asked, who, false, found);
    return new Said(
        question.answer(decision.decision(), node.dataplane(found, remarks)),
        decision.image(),
        Optional.of(decision.decision().cluster().cluster()));
  }

  private Said ask(Target asked, Optional<Client> who, String wanted, Remarks remarks) {
    ExplainQuestion question = new ExplainQuestion(asked, who, false, wanted);
    try (Connection connection = api.connect(source.tls(), remarks)) {
      List<Explanation> explanations =
          new RemoteExplanation(connection, question, node, remarks).read().explanations();
      String name = explanations.isEmpty() ? "" : explanations.getFirst().node();
      // Of this only the client's own address follows, so that it may be a later revision.
      NodeImage image = RemoteDecision.read(connection, name, Visitor.SHOW, remarks);
      return new Said(explanations, image, Optional.empty());
    }
  }

  private static List<TracedConnection> trace(Said said, Ruleset rules, NodeNetwork network) {
    ClientPacket packets = new ClientPacket(said.image, network, said.cluster);
    List<TracedConnection> traced = new ArrayList<>();
    for (Explanation explanation : said.explanations) {
      Destination to =
          explanation
              .destination()
              .filter(it -> it.port() != 0)
              .orElseThrow(() ->
                  new IllegalArgumentException(
                      explanation.subject()
                          + " has no address and port that a packet could go to; write one, as in"
                          + " 10.96.0.10:80"));
      FirstPacket packet = packets.of(explanation, to);
      WalkResult walked = rules.walk(packet);
      traced.add(
          new TracedConnection(
              explanation,
              rules.description(),
              packet,
              walked,
              differences(explanation, walked, to, network),
              List.of()));
    }
    return traced;
  }

  private static List<String> differences(
      Explanation explanation, WalkResult walked, Destination to, NodeNetwork network) {
    List<String> differences = new ArrayList<>(RuleAgreement.differences(explanation, walked));
    boolean elsewhere =
        to.kind().filter(ServiceAddress.Kind.NODE_PORT::equals).isPresent()
            && !network.isLocal(to.address());
    if (!differences.isEmpty() && elsewhere) {
      differences.add(
          to.address() + " is not an address of this host; is it the node that is meant?");
    }
    return differences;
  }
}
