package dev.portolan.inspection.audit;

import dev.portolan.audit.AuditDifference;
import dev.portolan.audit.AuditResult;
import dev.portolan.audit.SettledAudit;
import dev.portolan.client.Connection;
import dev.portolan.client.Subscription;
import dev.portolan.config.Start;
import dev.portolan.config.StartPlan;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.text.GoDuration;
import dev.portolan.decision.LocalDecision;
import dev.portolan.decision.RemoteDecision;
import dev.portolan.doctor.RunningDaemon;
import dev.portolan.inspection.KernelAccess;
import dev.portolan.mode.ModeSettings;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.options.ApiOptions;
import dev.portolan.options.NetworkNamespaceOption;
import dev.portolan.options.NodeOptions;
import dev.portolan.options.SourceOptions;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.StopSignal;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.query.Output;
import dev.portolan.walk.kernel.KernelRulesets;
import dev.portolan.wiring.Visitor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares the cluster's objects, what is decided, and what the kernel has. */
@Command(
    name = "audit",
    header = "Compare the kernel's rules with what is decided for this node.",
    customSynopsis = {
      "portolan audit [--from SOURCE|--api ADDRESS] [--node NODE] [--watch]",
      "       portolan audit [--api ADDRESS] --all-nodes"
    },
    sortOptions = false,
    footerHeading =
        "%nThe rules may be Portolan's or a kube-proxy's, of any mode; they are read from%nthe"
            + " kernel of this node, and nothing is changed. For every address of every%nservice,"
            + " packets of all kinds of clients are followed through them. Our own%nrules are"
            + " compared one by one as well. What two sides do not agree on is listed%nif it is"
            + " still so two seconds later.%n%nExit status: 0 if all sides agree, 1 if not.%n%n"
            + "Examples:%n",
    footer = {
      "  portolan audit",
      "  portolan audit --from kube --node worker-1 --config kube-proxy.yaml",
      "  portolan audit --from file:examples/shop --node worker-1 -o json",
      "  portolan audit --api tcp://brain:10260 --all-nodes"
    })
public final class AuditCommand implements Callable<Integer> {
  private static final int TIMES = 3;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Terminal terminal;

  @Mixin private final ApiOptions api = new ApiOptions();
  @Mixin private final SourceOptions source = new SourceOptions();
  @Mixin private final NodeOptions node = new NodeOptions();

  @Option(
      names = "--proxy-mode",
      paramLabel = "MODE",
      description =
          "The mode of the rules: nftables, ebpf, iptables or ipvs. Default: the one that is found"
              + " in the kernel.")
  private String mode = "";

  @Mixin private final NetworkNamespaceOption netns = new NetworkNamespaceOption();

  @Option(
      names = "--all-nodes",
      description =
          "Print what the daemons of all nodes found in their own last audits, as they report it"
              + " to the brain.")
  private boolean allNodes;

  @Option(
      names = {"-w", "--watch"},
      description = "Keep running, and print the result each time that it is another one.")
  private boolean watch;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description = "How often to compare with --watch, as in 10s or 5m. Default: 30s.")
  private String every = "30s";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table, wide (all differences), yaml, json or jsonpath=TEMPLATE.")
  private String output = "table";

  /** Known where the decision was made here. */
  private Predicate<AuditDifference> contested = _ -> false;

  /** Prints to {@code terminal}. */
  public AuditCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Output form = Output.orTree(output, OutputFormat.TABLE, OutputFormat.WIDE);
    Duration period = period();
    String wanted = mode.isEmpty() ? "" : Choice.of("--proxy-mode", mode, KernelRulesets.MODES);
    Remarks remarks = new Remarks(terminal);
    if (allNodes) {
      return new FleetAudit(api, source, terminal).print(form, remarks);
    }
    boolean objects = source.isGiven();
    boolean asksDaemon = objects ? api.isNamed() : api.isAsked(source);
    if (!asksDaemon) {
      return run(sides(wanted, Optional.empty(), remarks), form, period, remarks);
    }
    try (Connection connection = api.connect(source.tls(), remarks)) {
      return run(sides(wanted, Optional.of(connection), remarks), form, period, remarks);
    }
  }

  private Duration period() {
    return GoDuration.parse(every)
        .filter(time -> time.compareTo(Duration.ofSeconds(1)) >= 0)
        .orElseThrow(() ->
            CommandFailure.usage(
                "--every: '"
                    + Text.printable(every)
                    + "' must be a time of at least a second, as in 30s or 5m"));
  }

  /** The objects, the daemon behind {@code connection} if there is one, and the kernel. */
  private AuditedSides sides(String wanted, Optional<Connection> connection, Remarks remarks) {
    Optional<Path> namespace = netns.path();
    Function<String, NodeImage> objects = new Local(remarks);
    Optional<Supplier<NodeImage>> daemon =
        connection.map(way -> () -> RemoteDecision.read(way, subscription(), remarks));
    List<ModeSettings> settings = settings(namespace, remarks);
    return source.isGiven()
        ? new AuditedSides(namespace, wanted, settings, objects, daemon)
        : new AuditedSides(
            namespace, wanted, settings, _ -> daemon.orElseThrow().get(), Optional.empty());
  }

  private Subscription subscription() {
    Optional<String> name = source.isGiven() ? node.node() : node.nodeOfBrain();
    return Subscription.of(name.orElse("")).clientName(Visitor.AUDIT.toString());
  }

  /** Decides here; of what is wrong with the objects it is warned once. */
  private final class Local implements Function<String, NodeImage> {
    private final Remarks silent = new Remarks(terminal, 0, line -> {}, line -> {});
    private Remarks remarks;

    Local(Remarks remarks) {
      this.remarks = remarks;
    }

    @Override
    public NodeImage apply(String found) {
      Remarks first = remarks;
      remarks = silent;
      LocalDecision read = LocalDecision.read(source, node, found, first);
      contested = new ContestedPlaces(read.decision().cluster())::explain;
      return read.image();
    }
  }

  /**
   * What rules of ours may have been written with: by a daemon, or by {@code portolan run}, with
   * the configuration that was given, else with that of the daemon that runs here.
   */
  private List<ModeSettings> settings(Optional<Path> namespace, Remarks remarks) {
    StartPlan plan =
        node.plan(remarks)
            .or(() -> RunningDaemon.configuration(namespace))
            .orElseGet(() -> (StartPlan) Start.of(List.of(), _ -> "", Platform.current()));
    return List.of(
        ModeConfiguration.of(plan).in(namespace),
        ModeConfiguration.withoutDaemon(plan).in(namespace));
  }

  private int run(AuditedSides sides, Output form, Duration period, Remarks remarks) {
    if (!watch) {
      return once(sides, form, null, remarks).result().isClean() ? 0 : CommandFailure.FAILED;
    }
    return StopSignal.during(
        terminal,
        () -> {
          AuditedSides.Compared last = null;
          try {
            while (!terminal.isClosed()) {
              try {
                last = once(sides, form, last, remarks);
              } catch (CommandFailure e) {
                if (last == null) {
                  throw e;
                }
                remarks.warn(e.sentence());
              }
              Thread.sleep(period);
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return last != null && last.result().isClean() ? 0 : CommandFailure.FAILED;
        });
  }

  /** Compares, and prints what is not what was printed before. */
  private AuditedSides.Compared once(
      AuditedSides sides, Output form, AuditedSides.@Nullable Compared before, Remarks remarks) {
    long start = System.nanoTime();
    Duration[] took = new Duration[1];
    AuditedSides.Compared[] newest = new AuditedSides.Compared[1];
    AuditResult settled;
    try (Waiting _ = Waiting.busy(() -> "comparing with the kernel", remarks)) {
      settled =
          SettledAudit.of(
              chosen -> {
                long begin = newest[0] == null ? start : System.nanoTime();
                newest[0] = KernelAccess.read(() -> sides.compare(chosen));
                took[0] = Duration.ofNanos(System.nanoTime() - begin);
                return newest[0].result();
              },
              TIMES,
              PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.refused("interrupted while the kernel was compared");
    }
    AuditedSides.Compared compared = newest[0].with(settled);
    if (before == null || !differences(before).equals(differences(compared))) {
      print(compared, form, took[0]);
    }
    return compared;
  }

  private static List<AuditDifference> differences(AuditedSides.Compared compared) {
    return compared.result().differences();
  }

  private void print(AuditedSides.Compared compared, Output form, Duration took) {
    if (form.isTree()) {
      if (watch) {
        form.printOneOfMany(AuditTree.of(compared, took), true, terminal);
      } else {
        form.print(AuditTree.of(compared, took), true, terminal);
      }
    } else {
      new AuditText(terminal, form.format() == OutputFormat.WIDE, contested)
          .print(compared, source.isGiven(), took);
    }
    terminal.out().flush();
  }
}
