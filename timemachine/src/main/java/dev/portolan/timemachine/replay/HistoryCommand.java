package dev.portolan.timemachine.replay;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.text.Counted;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.query.Output;
import dev.portolan.terminal.query.ResultTree;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    Remarks remarks = new Remarks(terminal);
    RecordingInput recording = RecordingInput.open(file, ZoneId.systemDefault(), remarks);
    NamespacedName name = recording.service(service);
    Optional<String> wanted = Optional.ofNullable(node).map(text -> recording.node(node));
    List<HistoryEntry> entries = new ArrayList<>();
    ServiceHistory history = new ServiceHistory(name, wanted, recording::settings, entries::add);
    recording.read(history::take);
    if (form.isTree()) {
      form.print(tree(name, recording, entries, history.withoutEffect()), true, terminal);
      return 0;
    }
    HistoryText text = new HistoryText(wanted.isEmpty(), terminal, recording.zone());
    entries.forEach(text::print);
    terminal.print(entries.isEmpty() ? List.of() : List.of(""));
    terminal.print(
        Text.wrap(summary(name, recording, entries, history.withoutEffect()), terminal.width()));
    return 0;
  }

  private static String summary(
      NamespacedName name, RecordingInput recording, List<HistoryEntry> entries, int without) {
    long changes = entries.stream().filter(entry -> !entry.first()).count();
    return Counted.of(changes, "change")
        + " of "
        + name
        + " from "
        + recording.local(recording.begin())
        + " to "
        + recording.local(recording.end())
        + (without == 0
            ? ""
            : "; " + Counted.of(without, "more change") + " of its objects changed no decision");
  }

  private ResultTree tree(
      NamespacedName name, RecordingInput recording, List<HistoryEntry> entries, int without) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("namespace", name.namespace());
    facts.put("name", name.name());
    facts.put("nodeName", node == null ? "" : node);
    facts.put("begin", recording.begin().toString());
    facts.put("end", recording.end().toString());
    facts.put("changesWithoutEffect", without);
    return ResultTree.list(
        "ServiceHistory", facts, "changes", entries.stream().map(HistoryTree::item).toList());
  }
}
