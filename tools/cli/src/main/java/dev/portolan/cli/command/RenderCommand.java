package dev.portolan.cli.command;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeImage;
import dev.portolan.decision.LocalDecision;
import dev.portolan.mode.ModeRules;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.options.BackendOptions;
import dev.portolan.options.NodeOptions;
import dev.portolan.options.SourceOptions;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Waiting;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the rules that a node would get. */
@Command(
    name = "render",
    header = "Print the rules for a node, without touching a kernel.",
    customSynopsis = "portolan render --from SOURCE [--node NODE] [--family FAMILY]",
    sortOptions = false,
    footerHeading =
        "%nDoes not need root. Load the output with nft -f. With --backend iptables add%n--family:"
            + " each family is loaded by the program that its first line names, and%nneither reads"
            + " the other's. With --backend ebpf the maps and programs are comments."
            + " With%n--backend ipvs it is for people.%n%nExamples:%n",
    footer = {
      "  portolan render --from file:examples/shop --node worker-1",
      "  portolan render --from file:examples/shop --node worker-2 --family ipv4",
      "  portolan render --from file:examples/shop --node worker-1 --backend iptables --family"
          + " ipv4",
      "  portolan render --from file:examples/shop --node worker-1 --backend ebpf",
      "  portolan render --from file:examples/shop --node worker-1 --backend ipvs"
    })
public final class RenderCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final SourceOptions source = new SourceOptions();
  @Mixin private final BackendOptions backend = new BackendOptions();

  @Option(
      names = "--family",
      paramLabel = "FAMILY",
      description = "Print only the table of this family, ipv4 or ipv6. Default: both.")
  private @Nullable String family;

  @Mixin private final NodeOptions node = new NodeOptions();

  /** Prints to {@code terminal}. */
  public RenderCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Remarks remarks = new Remarks(terminal);
    node.follow(source, remarks);
    backend.follow(node.plan(remarks).map(ModeConfiguration::of));
    ModeRules rules = backend.rules(Optional.empty(), false);
    List<IpFamily> families = families();
    NodeImage image = LocalDecision.read(source, node, backend.toString(), remarks).image();
    StringBuilder text = new StringBuilder();
    try (Waiting _ = Waiting.busy(() -> "rendering", remarks)) {
      for (IpFamily wanted : families) {
        text.append(text.isEmpty() ? "" : "\n");
        text.append(rules.text(image, wanted));
      }
    }
    terminal.out().print(text);
    return 0;
  }

  private List<IpFamily> families() {
    if (family == null) {
      return List.of(IpFamily.values());
    }
    String word = Choice.of("--family", family.toLowerCase(Locale.ROOT), List.of("ipv4", "ipv6"));
    return List.of(word.equals("ipv4") ? IpFamily.IPV4 : IpFamily.IPV6);
  }
}
