package dev.portolan.timemachine.whatif;

import dev.portolan.compare.decisions.DecidedState;
import dev.portolan.compare.events.ClusterEvent;
import dev.portolan.config.DecisionSettings;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.options.NodeSettingsOptions;
import dev.portolan.options.SourceOptions;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.query.Output;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints what an event would do to connections. */
@Command(
    name = "whatif",
    header = "Print what would be refused, dropped or overloaded after an event.",
    customSynopsis = {
      "portolan whatif --from SOURCE [--drain NODE] [--lose ZONE]",
      "                       [--delete OBJECT] [--scale NAMESPACE/SERVICE=PODS]",
      "                       [--not-ready ADDRESS]"
    },
    sortOptions = false,
    footerHeading =
        "%nNothing is changed. Exit status: 0 if nothing would fail that does not fail%nnow, 1 if"
            + " something would, 2 after a mistake.%n%nExamples:%n",
    footer = {
      "  portolan whatif --from file:examples/shop --drain worker-2",
      "  portolan whatif --from file:examples/shop --lose zone-a",
      "  portolan whatif --from file:examples/shop --scale shop/web=1 \\",
      "    --not-ready 10.244.1.51",
      "  portolan whatif --from file:examples/shop -o yaml \\",
      "    --delete pod/shop/cart-6b9c4-8hjlw"
    })
public final class WhatIfCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final SourceOptions source = new SourceOptions();
  @Mixin private final EventOptions what = new EventOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, yaml, json or jsonpath=TEMPLATE. Default: text.")
  private String output = "text";

  @Mixin private final NodeSettingsOptions node = new NodeSettingsOptions();

  /** Prints to {@code terminal}. */
  public WhatIfCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Output form = Output.textOrTree(output);
    List<ClusterEvent> events = what.events();
    Remarks remarks = new Remarks(terminal);
    SourceOptions.Reading reading = source.read(remarks);
    reading.warnings().forEach(remarks::warn);
    ClusterImage cluster = reading.image();
    node.follow(source, remarks);
    DecisionSettings settings = node.settings(List.of(), "", remarks);
    DecidedState now = new DecidedState(cluster, settings.cluster(), settings.node());
    WhatIfAnswer answer;
    try (Waiting _ = Waiting.busy(() -> "deciding", remarks)) {
      answer = WhatIfAnswer.of(now, events);
    }
    if (form.isTree()) {
      form.print(answer.tree(source.toString()), true, terminal);
    } else {
      answer.print(terminal);
    }
    return answer.impact().breaksNothing() ? 0 : 1;
  }
}
