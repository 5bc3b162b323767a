package dev.portolan.cli.command;

import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.brain.explain.Client;
import dev.portolan.brain.explain.Explanation;
import dev.portolan.brain.explain.Target;
import dev.portolan.cli.decision.LocalDecision;
import dev.portolan.cli.decision.RemoteExplanation;
import dev.portolan.cli.options.ApiOptions;
import dev.portolan.cli.options.NodeOptions;
import dev.portolan.cli.options.SourceOptions;
import dev.portolan.client.Connection;
import dev.portolan.core.node.Verdict;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.view.Explained;
import dev.portolan.terminal.view.ExplanationText;
import dev.portolan.terminal.view.ExplanationTree;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what happens to a connection, and why. */
@Command(
    name = "explain",
    header = "Explain what happens to a connection on a node, and why.",
    customSynopsis = "portolan explain [--from SOURCE|--api ADDRESS] [--node NODE] TARGET",
    sortOptions = false,
    footerHeading =
        "%nThe exit status is 0 if the connection is forwarded, and 1 if not.%n%nExamples:%n",
    footer = {
      "  portolan explain --from file:examples/shop --node worker-1 shop/web:http",
      "  portolan explain --from file:examples/shop --node worker-1 10.96.0.10:53/udp",
      "  portolan explain --from file:examples/shop --node worker-1 30080 --client pod"
    })
public final class ExplainCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      paramLabel = "TARGET",
      description =
          "A service (shop/web, shop/web:http), an address (10.96.0.10:53/udp,"
              + " [fd00::10]:80, a load balancer's) or a nodePort (30080, :30080/udp).")
  private String target = "";

  @Mixin private final ApiOptions api = new ApiOptions();
  @Mixin private final SourceOptions source = new SourceOptions();
  @Mixin private final NodeOptions node = new NodeOptions();

  @Option(
      names = "--client",
      paramLabel = "CLIENT",
      description =
          "The client: pod (on this node), node, external, or an IP address. Default: pod for a"
              + " cluster IP, otherwise external.")
  private @Nullable String client;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, yaml or json. Default: text.")
  private String output = "text";

  /** Prints to {@code terminal}. */
  public ExplainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    OutputFormat format =
        Choice.of("-o", output, List.of(OutputFormat.TEXT, OutputFormat.YAML, OutputFormat.JSON));
    Target wanted = asked("", () -> Target.parse(target));
    Optional<Client> who =
        Optional.ofNullable(client).map(text -> asked("--client: ", () -> Client.parse(text)));
    Remarks remarks = new Remarks(terminal);
    Explained explained =
        asked(
            "",
            () ->
                api.isAsked(source)
                    ? ask(remarks)
                    : LocalDecision.read(source, node, remarks).explain(wanted, who));
    List<Explanation> explanations = explained.explanations();
    if (format.isTree()) {
      terminal.out().print(format.write(new ExplanationTree(explained).tree()));
    } else {
      ExplanationText text = new ExplanationText(explained, terminal);
      for (int i = 0; i < explanations.size(); i++) {
        if (i > 0) {
          terminal.print("");
        }
        terminal.print(text.lines(explanations.get(i)));
      }
    }
    boolean forwarded = explanations.stream().allMatch(found -> found.verdict() == Verdict.FORWARD);
    return forwarded ? 0 : CommandFailure.FAILED;
  }

  private Explained ask(Remarks remarks) {
    ExplainRequest request =
        ExplainRequest.newBuilder()
            .setNode(node.nodeOfBrain().orElse(""))
            .setTarget(target)
            .setClient(client == null ? "" : client)
            .build();
    try (Connection connection = api.connect(source.tls(), remarks)) {
      return RemoteExplanation.read(connection, request, remarks);
    }
  }

  /** What the person asked for; the core says in a sentence where that makes no sense. */
  private static <T> T asked(String option, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(option + Text.printable(String.valueOf(e.getMessage())));
    }
  }
}
