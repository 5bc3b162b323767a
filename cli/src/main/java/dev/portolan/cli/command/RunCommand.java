package dev.portolan.cli.command;

import dev.portolan.cli.decision.LocalDecision;
import dev.portolan.cli.decision.NodeChoice;
import dev.portolan.cli.decision.RemoteDecision;
import dev.portolan.cli.options.ApiOptions;
import dev.portolan.cli.options.BackendOptions;
import dev.portolan.cli.options.BackendOptions.Chosen;
import dev.portolan.cli.options.NetworkNamespaceOption;
import dev.portolan.cli.options.NodeOptions;
import dev.portolan.cli.options.ProgramOptions;
import dev.portolan.cli.options.SourceOptions;
import dev.portolan.client.Connection;
import dev.portolan.client.RemoteNode;
import dev.portolan.client.Subscription;
import dev.portolan.config.DecisionSettings;
import dev.portolan.conntrack.TcpCleaning;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.node.NodeFeed;
import dev.portolan.core.node.NodeImage;
import dev.portolan.daemon.NodeDaemon;
import dev.portolan.sync.Keeper;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.text.TextException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Programs the kernel for a node, and keeps it so. */
@Command(
    name = "run",
    header = "Program the kernel for a node, and follow changes until interrupted.",
    customSynopsis = {
      "portolan run --from SOURCE [--node NODE] [--netns NAME|PATH] [--once]",
      "       portolan run --api ADDRESS --node NODE [--netns NAME|PATH] [--once]",
      "       portolan run … --backend exec [--exec-mode MODE] -- PROGRAM [ARG]..."
    },
    sortOptions = false,
    footerHeading =
        "%nNeeds root or CAP_NET_ADMIN. The rules stay in place when it exits;%n'portolan cleanup'"
            + " removes them.%n%nThis is the small tool: it serves no health-check nodePorts, no"
            + " /healthz and no%nmetrics, sets no sysctls and takes over from no kube-proxy. On a"
            + " node of a%ncluster use 'portolan kube-proxy', with --api ADDRESS for a brain's"
            + "%ndecisions.%n%nExamples:%n",
    footer = {
      "  portolan run --from file:examples/shop --node worker-1 --netns my-node",
      "  portolan run --from file:examples/shop --node worker-1 --netns my-node --once",
      "  portolan run --api unix:///run/portolan/api.sock --node worker-1 --once",
      "  portolan run --from file:examples/shop --node worker-1 --backend exec \\",
      "    -- examples/exec/print.py"
    })
public final class RunCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final SourceOptions source = new SourceOptions();
  @Mixin private final ApiOptions api = new ApiOptions();
  @Mixin private final BackendOptions backend = new BackendOptions();
  @Mixin private final NetworkNamespaceOption namespace = new NetworkNamespaceOption();

  @Option(names = "--once", description = "Program the kernel once, and exit.")
  private boolean once;

  @Option(
      names = "--conntrack-clean-tcp",
      arity = "0..1",
      fallbackValue = "all",
      paramLabel = "WHICH",
      description =
          "Which TCP connections to endpoints that are gone end, besides UDP flows: never,"
              + " unreplied (those that were never answered; safe for draining) or all, so that"
              + " clients notice immediately. Default: never; without a value: all.")
  private String endTcp = TcpCleaning.NEVER.toString();

  @Mixin private final NodeOptions node = new NodeOptions();
  @Mixin private final ProgramOptions program = new ProgramOptions();

  /** Prints to {@code terminal}. */
  public RunCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Remarks remarks = new Remarks(terminal);
    try {
      return api.isGiven(source) ? forBrain(remarks) : forSource(remarks);
    } catch (BackendException e) {
      throw CommandFailure.refused(e);
    } catch (TextException e) {
      throw CommandFailure.input(e);
    }
  }

  private int forSource(Remarks remarks) {
    RunLog log = new RunLog(terminal);
    Source cluster = source.open(remarks);
    Supplier<Chosen> chosen = choose(log);
    return once
        ? once(LocalDecision.read(source, node, backend.toString(), remarks).image(), chosen, log)
        : StopSignal.during(terminal, () -> follow(cluster, chosen, remarks, log));
  }

  private int forBrain(Remarks remarks) {
    RunLog log = new RunLog(terminal);
    Supplier<Chosen> chosen = choose(log);
    return once
        ? onceForBrain(chosen, remarks, log)
        : StopSignal.during(terminal, () -> followBrain(chosen, remarks, log));
  }

  private Supplier<Chosen> choose(RunLog log) {
    TcpCleaning tcp =
        TcpCleaning.parse(endTcp)
            .orElseGet(
                () -> Choice.of("--conntrack-clean-tcp", endTcp, List.of(TcpCleaning.values())));
    return backend.choose(namespace, tcp, program, log::say);
  }

  private int once(NodeImage image, Supplier<Chosen> wanted, RunLog log) {
    Chosen chosen = wanted.get();
    try (Keeper keeper =
        new Keeper(NodeFeed.still(image), chosen.backend(), chosen.keeping(), log)) {
      log.begin(start(image.facts().name(), chosen));
      keeper.once();
    }
    return 0;
  }

  private int follow(Source cluster, Supplier<Chosen> wanted, Remarks remarks, RunLog log) {
    DecisionSettings settings = node.settings(backend.toString(), remarks);
    String name = NodeChoice.of(source, node, remarks).in(source.read(remarks).image());
    Chosen chosen = wanted.get();
    NodeDaemon.Plan plan =
        new NodeDaemon.Plan(
            name, settings.cluster(), settings.node(), chosen.backend(), chosen.keeping());
    try (NodeDaemon daemon = new NodeDaemon(cluster, plan, log)) {
      log.begin(start(name, chosen));
      daemon.run();
    }
    return stopped(log);
  }

  private int onceForBrain(Supplier<Chosen> wanted, Remarks remarks, RunLog log) {
    try (Connection connection = api.connect(source.tls(), remarks)) {
      return RemoteDecision.apply(
          connection, nodeOfBrain(), client(), remarks, image -> once(image, wanted, log));
    }
  }

  /** What this is called in the brain's list of clients. */
  private String client() {
    return "portolan " + backend;
  }

  private int followBrain(Supplier<Chosen> wanted, Remarks remarks, RunLog log) {
    String name = nodeOfBrain();
    Chosen chosen = wanted.get();
    Subscription subscription = Subscription.of(name).clientName(client()).listener(log.ofBrain());
    try (Connection connection = api.connect(source.tls(), remarks);
        RemoteNode remote = RemoteNode.open(connection, subscription);
        Keeper keeper =
            new Keeper(remote, chosen.backend(), chosen.keeping(), remote.acknowledgement(), log)) {
      log.begin(start(name, chosen));
      keeper.run();
    } catch (InterruptedException e) {
      // It was stopped.
    }
    return stopped(log);
  }

  private String nodeOfBrain() {
    return node.nodeOfBrain()
        .orElseThrow(() -> CommandFailure.usage("--node is required with --api"));
  }

  private int stopped(RunLog log) {
    log.say(
        backend.isKernel()
            ? "stopped; the rules stay in place ('portolan cleanup' removes them)"
            : "stopped");
    return 0;
  }

  private String start(String name, Chosen chosen) {
    return "node "
        + name
        + ": "
        + chosen.description()
        + ", from "
        + (source.isGiven() ? source : api);
  }
}
