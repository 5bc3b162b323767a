package dev.portolan.cli.command;

import dev.portolan.brain.UrgentServices;
import dev.portolan.client.Connection;
import dev.portolan.client.RemoteNode;
import dev.portolan.client.Subscription;
import dev.portolan.config.DecisionSettings;
import dev.portolan.conntrack.TcpCleaning;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.node.NodeFeed;
import dev.portolan.core.node.NodeImage;
import dev.portolan.decision.LocalDecision;
import dev.portolan.decision.NodeChoice;
import dev.portolan.decision.RemoteDecision;
import dev.portolan.mode.ModeListener;
import dev.portolan.modes.BackendLock;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.options.AccessLog;
import dev.portolan.options.ApiOptions;
import dev.portolan.options.BackendOptions;
import dev.portolan.options.BackendOptions.Chosen;
import dev.portolan.options.BackendOptions.Opened;
import dev.portolan.options.LogOptions;
import dev.portolan.options.NetworkNamespaceOption;
import dev.portolan.options.NodeOptions;
import dev.portolan.options.ProgramOptions;
import dev.portolan.options.SourceOptions;
import dev.portolan.source.union.HeldSource;
import dev.portolan.sync.Handover;
import dev.portolan.sync.Keeper;
import dev.portolan.takeover.Draining;
import dev.portolan.takeover.Leftovers;
import dev.portolan.takeover.Takeover;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.StopSignal;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.text.TextException;
import dev.portolan.wiring.NodeDaemon;
import dev.portolan.wiring.Visitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
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
      "       portolan run … --backend userspace [--portals listen] [--access-log]",
      "       portolan run … --backend exec [--exec-mode MODE] -- PROGRAM [ARG]..."
    },
    sortOptions = false,
    footerHeading =
        "%nNeeds root or CAP_NET_ADMIN, but not with --portals listen; --netns needs%nCAP_SYS_ADMIN"
            + " too. The rules stay in place when it exits; 'portolan cleanup'%nremoves"
            + " them.%n%nThis is the small tool: it serves no health-check nodePorts, no /healthz"
            + " and no%nmetrics, sets no sysctls but those of ipvs, and takes over from no"
            + " kube-proxy.%nOn a node of a cluster use 'portolan kube-proxy', with --api ADDRESS"
            + " for a%nbrain's decisions.%n%nExamples:%n",
    footer = {
      "  portolan run --from file:examples/shop --node worker-1 --netns my-node",
      "  portolan run --from file:examples/shop --node worker-1 --netns my-node --once",
      "  portolan run --api unix:///run/portolan/api.sock --node worker-1 --once",
      "  portolan run --from file:examples/shop --node worker-1 --netns my-node --dry-run",
      "  portolan run --from file:examples/shop --node worker-1 --backend userspace \\",
      "    --portals listen --access-log",
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
      names = "--dry-run",
      description =
          "Print what would change in the kernel, and exit: + for what is added, - for what is"
              + " removed, ~ for what is changed.")
  private boolean dryRun;

  @Option(
      names = "--force",
      description =
          "Replace the tables of --nftables-table even if another program made them, with all"
              + " that is in them.")
  private boolean force;

  @Option(
      names = "--wait-lock",
      description =
          "If another Portolan programs this kernel with the same backend, wait until it ends."
              + " Default: exit with an error that names it.")
  private boolean waitLock;

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
  @Mixin private final LogOptions logging = new LogOptions();
  @Mixin private final ProgramOptions program = new ProgramOptions();

  /** Prints to {@code terminal}. */
  public RunCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Remarks remarks = logging.remarks("run", terminal);
    try (AccessLog access = new AccessLog(terminal.out(), remarks::say)) {
      return api.isGiven(source) ? forBrain(access, remarks) : forSource(access, remarks);
    } catch (BackendException e) {
      throw e.code() == ErrorCode.FOREIGN_RULES
          ? CommandFailure.refused(e.code(), e.getMessage() + ", or replace it with --force")
          : CommandFailure.refused(e);
    } catch (TextException e) {
      throw CommandFailure.input(e);
    }
  }

  private int forSource(AccessLog access, Remarks remarks) {
    RunLog log = new RunLog(remarks);
    source.check();
    node.follow(source, remarks);
    backend.follow(node.plan(remarks).map(ModeConfiguration::withoutDaemon));
    Chosen chosen = choose(access, log);
    return once || dryRun
        ? once(LocalDecision.read(source, node, backend.toString(), remarks).image(), chosen, log)
        : StopSignal.during(terminal, () -> follow(chosen, remarks, log));
  }

  private int forBrain(AccessLog access, Remarks remarks) {
    RunLog log = new RunLog(remarks);
    Chosen chosen = choose(access, log);
    if (dryRun) {
      return once(ask(remarks), chosen, log);
    }
    return once
        ? onceForBrain(chosen, remarks, log)
        : StopSignal.during(terminal, () -> followBrain(chosen, remarks, log));
  }

  private Chosen choose(AccessLog access, RunLog log) {
    TcpCleaning tcp =
        TcpCleaning.parse(endTcp)
            .orElseGet(
                () -> Choice.of("--conntrack-clean-tcp", endTcp, List.of(TcpCleaning.values())));
    Chosen chosen = backend.choose(namespace, tcp, force, program, listener(access, log));
    if (dryRun && chosen.claim().isEmpty()) {
      throw CommandFailure.usage("--dry-run is for a kernel, but the backend is " + backend);
    }
    return chosen;
  }

  private static ModeListener listener(AccessLog access, RunLog log) {
    return new ModeListener() {
      @Override
      public void connection(String line) {
        access.accept(line);
      }

      @Override
      public void say(String sentence) {
        log.say(sentence);
      }
    };
  }

  private int once(NodeImage image, Chosen chosen, RunLog log) {
    if (dryRun) {
      return preview(image, chosen);
    }
    Draining draining = new Draining(log::say);
    try (BackendLock _ = lock(chosen, log)) {
      Opened opened = chosen.open();
      try (Keeper keeper =
          new Keeper(
              NodeFeed.still(image),
              opened.backend(),
              keeping(chosen, opened, draining, log),
              log)) {
        log.begin(start(image.facts().name(), opened));
        keeper.once();
      }
      if (draining.connections() > 0) {
        log.say("the virtual servers of these connections stay until another run removes them");
      }
    }
    return 0;
  }

  private int preview(NodeImage image, Chosen chosen) {
    Opened opened = chosen.open();
    List<String> lines = new ArrayList<>();
    try (Backend _ = opened.backend()) {
      lines.addAll(opened.preview().apply(image));
      if (opened.former().isPresent()) {
        Takeover.find(opened.former().get()).lines().forEach(line -> lines.add("- " + line));
      }
    }
    lines.forEach(line -> terminal.print(Text.printable(line)));
    terminal.remark(
        lines.isEmpty()
            ? namespace + ": nothing would change"
            : namespace + ": nothing was changed; run it without --dry-run to change this");
    return 0;
  }

  private BackendLock lock(Chosen chosen, RunLog log) {
    try {
      return chosen.claim().isEmpty()
          ? BackendLock.NONE
          : BackendLock.take(chosen.claim().get(), waitLock, log::say);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.refused("stopped while waiting for another Portolan to end");
    }
  }

  /** As chosen; and after the first sync, what Portolan wrote before in another way goes. */
  private static Keeper.Options keeping(
      Chosen chosen, Opened opened, Draining draining, RunLog log) {
    return chosen
        .keeping()
        .urgent(UrgentServices::contain)
        .handover(Handover.of(() -> begin(opened, draining, log), draining::advance));
  }

  private static void begin(Opened opened, Draining draining, RunLog log) {
    for (String what : opened.replaced().get()) {
      log.say("replaced " + what + " that another program wrote");
    }
    if (opened.former().isPresent()) {
      Leftovers.Removal removal = Takeover.find(opened.former().get()).remove();
      removal.removed().forEach(what -> log.say("removed what an earlier run wrote: " + what));
      removal.stayed().forEach(log::warned);
      draining.start(opened.former().get());
    }
  }

  private int follow(Chosen chosen, Remarks remarks, RunLog log) {
    DecisionSettings settings = node.settings(backend.toString(), remarks);
    Optional<String> proxy = settings.cluster().serviceProxyName();
    Source cluster = source.open(remarks, reading -> reading.withServiceProxyName(proxy));
    try (HeldSource held = source.hold(cluster, remarks)) {
      String name = NodeChoice.of(source, node, remarks).in(source.first(held, remarks));
      return follow(held, name, settings, chosen, log);
    }
  }

  private int follow(
      Source cluster, String name, DecisionSettings settings, Chosen chosen, RunLog log) {
    Draining draining = new Draining(log::say);
    try (BackendLock _ = lock(chosen, log)) {
      Opened opened = chosen.open();
      NodeDaemon.Plan plan =
          new NodeDaemon.Plan(
              name,
              settings.cluster(),
              settings.node(),
              opened.backend(),
              keeping(chosen, opened, draining, log));
      try (NodeDaemon daemon = new NodeDaemon(cluster, plan, log)) {
        log.begin(start(name, opened));
        daemon.run();
      }
    }
    return stopped(log);
  }

  private NodeImage ask(Remarks remarks) {
    try (Connection connection = api.connect(source.tls(), remarks)) {
      return RemoteDecision.read(connection, nodeOfBrain(), Visitor.RUN, remarks);
    }
  }

  private int onceForBrain(Chosen chosen, Remarks remarks, RunLog log) {
    try (Connection connection = api.connect(source.tls(), remarks)) {
      return RemoteDecision.apply(
          connection, nodeOfBrain(), client(), remarks, image -> once(image, chosen, log));
    }
  }

  /** What this is called in the brain's list of clients. */
  private String client() {
    return "portolan " + backend;
  }

  private int followBrain(Chosen chosen, Remarks remarks, RunLog log) {
    String name = nodeOfBrain();
    Subscription subscription = Subscription.of(name).clientName(client()).listener(log.ofBrain());
    Draining draining = new Draining(log::say);
    try (BackendLock _ = lock(chosen, log)) {
      Opened opened = chosen.open();
      try (Connection connection = api.connect(source.tls(), remarks);
          RemoteNode remote = RemoteNode.open(connection, subscription);
          Keeper keeper =
              new Keeper(
                  remote,
                  opened.backend(),
                  keeping(chosen, opened, draining, log),
                  remote.acknowledgement(),
                  log)) {
        log.begin(start(name, opened));
        keeper.run();
      } catch (InterruptedException e) {
        // It was stopped.
      }
    }
    return stopped(log);
  }

  private String nodeOfBrain() {
    return node.nodeOfBrain()
        .orElseThrow(() -> CommandFailure.usage("--node is required with --api"));
  }

  private int stopped(RunLog log) {
    String left = backend.left();
    log.say(left.isEmpty() ? "stopped" : "stopped; " + left);
    return 0;
  }

  private String start(String name, Opened opened) {
    return "node "
        + name
        + ": "
        + opened.description()
        + ", from "
        + (source.isGiven() ? source : api);
  }
}
