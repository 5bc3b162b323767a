package dev.portolan.cli.command;

import dev.portolan.cli.decision.Follower;
import dev.portolan.cli.decision.LocalDecision;
import dev.portolan.cli.decision.NodeChoice;
import dev.portolan.cli.decision.RemoteDecision;
import dev.portolan.cli.decision.RemoteFollower;
import dev.portolan.cli.options.ApiOptions;
import dev.portolan.cli.options.NodeOptions;
import dev.portolan.cli.options.SourceOptions;
import dev.portolan.client.Connection;
import dev.portolan.config.DecisionSettings;
import dev.portolan.core.node.NodeImage;
import dev.portolan.daemon.brain.Visitor;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.view.Excerpt;
import dev.portolan.terminal.view.NodeListing;
import dev.portolan.terminal.view.RevisionPrinter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints what was decided for a node. */
@Command(
    name = "show",
    header = "Print the decisions for a node: services, endpoints, or the node itself.",
    customSynopsis = {
      "portolan show --from SOURCE [--node NODE] [services|endpoints|node]",
      "       portolan show [--api ADDRESS] [--node NODE] [services|endpoints|node]"
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  portolan show --from file:examples/shop --node worker-1",
      "  portolan show --from file:examples/shop --node worker-1 endpoints -n shop",
      "  portolan show --from file:examples/shop --node worker-2 node -o yaml"
    })
public final class ShowCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      arity = "0..1",
      paramLabel = "services|endpoints|node",
      description = "What to list. Default: services.")
  private String listing = "services";

  @Mixin private final SourceOptions source = new SourceOptions();
  @Mixin private final ApiOptions api = new ApiOptions();
  @Mixin private final NodeOptions node = new NodeOptions();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "List only services in this namespace.")
  private @Nullable String namespace;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table (in 80 columns), wide, yaml or json. Default: table.")
  private String output = "table";

  @Option(names = "--follow", description = "Keep running and print what each revision changes.")
  private boolean follow;

  /** Prints to {@code terminal}. */
  public ShowCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    NodeListing wanted = Choice.of("what to list", listing, List.of(NodeListing.values()));
    OutputFormat format =
        Choice.of(
            "-o",
            output,
            List.of(OutputFormat.TABLE, OutputFormat.WIDE, OutputFormat.YAML, OutputFormat.JSON));
    Optional<String> only = Optional.ofNullable(namespace);
    Remarks remarks = new Remarks(terminal);
    boolean remote = api.isAsked(source);
    if (follow) {
      RevisionPrinter printer = new RevisionPrinter(wanted, format, only, terminal);
      if (remote) {
        followBrain(printer, remarks);
      } else {
        follow(printer, remarks);
      }
      return 0;
    }
    NodeImage image =
        remote ? askBrain(remarks) : LocalDecision.read(source, node, "", remarks).image();
    Excerpt excerpt = Excerpt.of(image, only);
    if (only.isPresent() && excerpt.services().isEmpty() && wanted != NodeListing.NODE) {
      throw CommandFailure.missing(
          "no service in namespace '"
              + Text.printable(only.get())
              + "' of "
              + (remote ? api : source));
    }
    if (format.isTree()) {
      terminal.out().print(format.write(wanted.tree(excerpt)));
    } else {
      terminal.print(wanted.lines(excerpt, format == OutputFormat.WIDE, terminal));
    }
    return 0;
  }

  private void follow(RevisionPrinter printer, Remarks remarks) {
    DecisionSettings settings = node.settings("", remarks);
    NodeChoice choice = NodeChoice.of(source, node, remarks);
    new Follower(source.open(remarks), choice, settings, printer, terminal, remarks).run();
  }

  private NodeImage askBrain(Remarks remarks) {
    String name = node.nodeOfBrain().orElse("");
    try (Connection connection = api.connect(source.tls(), remarks)) {
      return RemoteDecision.read(connection, name, Visitor.SHOW, remarks);
    }
  }

  private void followBrain(RevisionPrinter printer, Remarks remarks) {
    String name = node.nodeOfBrain().orElse("");
    try (Connection connection = api.connect(source.tls(), remarks)) {
      new RemoteFollower(connection, printer, item -> {}, terminal, remarks)
          .run(name, Visitor.SHOW);
    }
  }
}
