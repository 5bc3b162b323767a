package dev.portolan.cli.command;

import dev.portolan.api.localv1.OpItem;
import dev.portolan.client.Connection;
import dev.portolan.core.backend.Backend;
import dev.portolan.decision.RemoteFollower;
import dev.portolan.decision.view.ItemPrinter;
import dev.portolan.options.ApiOptions;
import dev.portolan.options.TlsOptions;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.query.Output;
import dev.portolan.terminal.view.ListingStyle;
import dev.portolan.terminal.view.NodeListing;
import dev.portolan.terminal.view.RevisionPrinter;
import dev.portolan.terminal.view.ServiceFilter;
import dev.portolan.wiring.Visitor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The older name of {@code show --watch}, for the scripts that use it. */
@Command(
    name = "watch",
    hidden = true,
    header = "Print what a brain sends for a node, and each change: show --watch.",
    customSynopsis = "portolan watch [--api ADDRESS] [--node NODE] [-o FORMAT]",
    sortOptions = false,
    footerHeading =
        "%nPrints the full state first. The state of the connection is reported on standard%nerror;"
            + " if the connection is lost, it is retried.%n%nExamples:%n",
    footer = {
      "  portolan watch --api unix:///run/portolan/api.sock --node worker-1",
      "  portolan watch --node worker-1 -o json"
    })
public final class WatchCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ApiOptions api = new ApiOptions();
  @Mixin private final TlsOptions tls = new TlsOptions();

  @Option(
      names = "--node",
      paramLabel = "NODE",
      description = "The node. Optional if there is only one.")
  private String node = "";

  /** As KPNG's programs call it. */
  @Option(names = "--node-name", hidden = true)
  void nodeName(String name) {
    node = name;
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description =
          "text (what each revision changes) or json (one line per item, as sent). Default: text.")
  private String output = "text";

  /** Prints to {@code terminal}. */
  public WatchCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    OutputFormat format = Choice.of("-o", output, List.of(OutputFormat.TEXT, OutputFormat.JSON));
    Remarks remarks = new Remarks(terminal);
    ItemPrinter printer = new ItemPrinter(terminal);
    boolean text = format == OutputFormat.TEXT;
    Backend states =
        text
            ? new RevisionPrinter(
                NodeListing.SERVICES,
                Output.parse("table", List.of(OutputFormat.TABLE)),
                new ListingStyle(false, true, Optional.empty()),
                ServiceFilter.ALL,
                terminal)
            : printer;
    Consumer<OpItem> items = text ? item -> {} : printer;
    try (Connection connection = api.connect(tls, remarks)) {
      new RemoteFollower(connection, states, items, terminal, remarks)
          .run(node.strip(), Visitor.WATCH);
    }
    return 0;
  }
}
