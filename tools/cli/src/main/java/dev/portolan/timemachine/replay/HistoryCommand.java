package dev.portolan.timemachine.replay;

import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.query.Output;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints when the decisions about a service changed, and what changed them. */
@Command(
    name = "history",
    header = "Print when a service's endpoints, verdicts and addresses changed, and why.",
    customSynopsis = "portolan history FILE --service SERVICE [--node NODE]",
    sortOptions = false,
    footerHeading =
        "%nOne entry per change of the decisions, oldest first, with the objects and fields%nthat"
            + " made it. Without --node it looks from all nodes that the recording has.%n%n"
            + "Examples:%n",
    footer = {
      "  portolan history examples/recordings/shop.rec --service shop/web",
      "  portolan history examples/recordings/shop.rec --service cart --node worker-1",
      "  portolan history examples/recordings/shop.rec --service shop/admin -o yaml"
    })
public final class HistoryCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      paramLabel = "FILE",
      description = "The recording: a file, or the folder that a daemon records into.")
  private String file = "";

  @Option(
      names = "--service",
      required = true,
      paramLabel = "[NAMESPACE/]NAME",
      description = "The service; without a namespace, the only one of that name.")
  private String service = "";

  @Option(
      names = "--node",
      paramLabel = "NODE",
      description = "Look from this node. Default: from all of them.")
  private @Nullable String node;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, yaml, json, name or jsonpath=TEMPLATE. Default: text.")
  private String output = "text";

  /** Prints to {@code terminal}. */
  public HistoryCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Output form =
        Output.parse(
            output,
            List.of(
                OutputFormat.TEXT,
                OutputFormat.YAML,
                OutputFormat.JSON,
                OutputFormat.NAME,
                OutputFormat.JSONPATH));
    HistoryAnswer answer =
        HistoryAnswer.read(
            file,
            service,
            Optional.ofNullable(node),
            ZoneId.systemDefault(),
            new Remarks(terminal));
    if (form.isTree()) {
      form.print(answer.tree(), true, terminal);
    } else {
      answer.print(terminal);
    }
    return 0;
  }
}
