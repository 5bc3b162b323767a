package dev.portolan.cli.command;

import dev.portolan.client.Connection;
import dev.portolan.core.node.Verdict;
import dev.portolan.decision.LocalExplanation;
import dev.portolan.decision.RemoteExplanation;
import dev.portolan.explain.Client;
import dev.portolan.explain.ExplainQuestion;
import dev.portolan.explain.Target;
import dev.portolan.modes.KernelModes;
import dev.portolan.options.ApiOptions;
import dev.portolan.options.ModeOption;
import dev.portolan.options.NodeOptions;
import dev.portolan.options.SourceOptions;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.query.Output;
import dev.portolan.terminal.view.ExplanationPrinter;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what happens to a connection, and why. */
@Command(
    name = "explain",
    header = "Explain what happens to a connection on a node, and why.",
    customSynopsis = {
      "portolan explain [--from SOURCE|--api ADDRESS] [--node NODE] TARGET",
      "       portolan explain [--from SOURCE|--api ADDRESS] --from-pod POD TARGET",
      "       portolan explain [--from SOURCE|--api ADDRESS] --all-nodes TARGET"
    },
    sortOptions = false,
    footerHeading =
        "%nAll addresses and ports of a service are explained. The exit status is 0 if%nconnections"
            + " to all of them are forwarded, and 1 if not.%n%nExamples:%n",
    footer = {
      "  portolan explain --from file:examples/shop --node worker-1 shop/web:http",
      "  portolan explain --from file:examples/shop --node worker-1 10.96.0.10:53/udp",
      "  portolan explain --from file:examples/shop --node worker-1 30080 --client pod",
      "  portolan explain --from file:examples/shop --all-nodes http://web.shop.svc"
    })
public final class ExplainCommand implements Callable<Integer> {
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
          "The client: pod (on this node), node, external, or an IP address. Default: pod for a"
              + " cluster IP, node for a loopback address, otherwise external (a client that the"
              + " source ranges allow).")
  private @Nullable String client;

  @Option(
      names = "--from-pod",
      paramLabel = "[NAMESPACE/]NAME",
      description =
          "The client is this pod, and the node is its node, as EndpointSlices have them.")
  private @Nullable String pod;

  @Option(names = "--all-nodes", description = "Print the answer of every node, in one table.")
  private boolean allNodes;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "The namespace of a service or pod named without one. Default: default.")
  private String namespace = Target.DEFAULT_NAMESPACE;

  @Mixin
  private final ModeOption mode =
      ModeOption.mode(
          "The mode whose rules are explained: {modes}. Default: that of --config or of the server"
              + " that is asked, otherwise nftables.");

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, yaml, json or jsonpath=TEMPLATE. Default: text.")
  private String output = "text";

  @Option(
      names = {"-w", "--watch"},
      description = "Keep running, and print the answer again each time that it changes.")
  private boolean watch;

  /** Prints to {@code terminal}. */
  public ExplainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Output form = Output.textOrTree(output);
    String named = Objects.requireNonNullElse(mode.value(), "");
    String meant = named.isEmpty() ? "" : Choice.of("--proxy-mode", named, KernelModes.words());
    Target wanted = Choice.read("", () -> Target.parse(target, namespace));
    ExplainQuestion question = new ExplainQuestion(wanted, who(), allNodes, meant);
    if (allNodes && (node.node().isPresent() || pod != null)) {
      throw CommandFailure.usage(
          "--all-nodes and " + (pod != null ? "--from-pod" : "--node") + " are mutually exclusive");
    }
    Remarks remarks = new Remarks(terminal);
    ExplanationPrinter printer = new ExplanationPrinter(form, watch, terminal);
    boolean remote = api.isAsked(source);
    return Choice.read(
        "",
        () -> {
          if (remote) {
            ask(question, printer, remarks);
          } else {
            answer(question, printer, remarks);
          }
          return printer.verdict() == Verdict.FORWARD ? 0 : CommandFailure.FAILED;
        });
  }

  private void answer(ExplainQuestion question, ExplanationPrinter printer, Remarks remarks) {
    LocalExplanation here = new LocalExplanation(question, source, node, remarks);
    if (watch) {
      here.follow(printer, terminal);
    } else {
      printer.accept(here.read());
    }
  }

  private void ask(ExplainQuestion question, ExplanationPrinter printer, Remarks remarks) {
    try (Connection connection = api.connect(source.tls(), remarks)) {
      RemoteExplanation there = new RemoteExplanation(connection, question, node, remarks);
      if (watch) {
        there.follow(printer, terminal);
      } else {
        printer.accept(there.read());
      }
    }
  }

  private Optional<Client> who() {
    if (pod == null) {
      return Optional.ofNullable(client)
          .map(text -> Choice.read("--client", () -> Client.parse(text)));
    }
    if (client != null) {
      throw CommandFailure.usage("--client and --from-pod are mutually exclusive; use only one");
    }
    String name = pod.indexOf('/') < 0 ? namespace + "/" + pod : pod;
    return Optional.of(Choice.read("--from-pod", () -> Client.parse(Client.POD + name)));
  }
}
