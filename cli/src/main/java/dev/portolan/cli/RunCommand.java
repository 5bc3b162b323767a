package dev.portolan.cli;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.brain.NodeSettings;
import dev.portolan.core.cluster.Source;
import dev.portolan.proxy.FlowEnder;
import dev.portolan.proxy.NodeDaemon;
import dev.portolan.proxy.Pace;
import dev.portolan.proxy.SyncLoop;
import dev.portolan.source.file.ManifestException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Programs the kernel for a node, and keeps it so. */
@Command(
    name = "run",
    header = "Program the kernel for a node, and follow changes until interrupted.",
    customSynopsis = "portolan run --from SOURCE [--node NODE] [--netns NAME|PATH] [--once]",
    sortOptions = false,
    footerHeading =
        "%nNeeds root or CAP_NET_ADMIN. The rules stay in place when it ends;%n"
            + "'portolan cleanup' removes them.%n%nExamples:%n",
    footer = {
      "  portolan run --from file:examples/shop --node worker-1 --netns my-node",
      "  portolan run --from file:examples/shop --node worker-1 --netns my-node --once"
    })
final class RunCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final SourceOptions source = new SourceOptions();
  @Mixin private final BackendOptions backend = new BackendOptions();
  @Mixin private final NetworkNamespaceOption namespace = new NetworkNamespaceOption();

  @Option(names = "--once", description = "Program the kernel once, and end.")
  private boolean once;

  @Option(
      names = "--conntrack-clean-tcp",
      description =
          "End TCP connections to endpoints that are gone too, and not only UDP flows: their"
              + " clients then notice at once.")
  private boolean endTcp;

  @Mixin private final NodeOptions node = new NodeOptions();

  RunCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Remarks remarks = new Remarks(terminal);
    RunLog log = new RunLog(terminal);
    Source cluster = source.open();
    NftablesOptions options = backend.nftables(namespace);
    try {
      return once
          ? once(options, remarks, log)
          : StopSignal.during(terminal, () -> follow(cluster, options, remarks, log));
    } catch (BackendException e) {
      throw CommandFailure.refused(String.valueOf(e.getMessage()));
    } catch (ManifestException e) {
      throw CommandFailure.input(String.valueOf(e.getMessage()));
    }
  }

  private int once(NftablesOptions options, Remarks remarks, RunLog log) {
    Scene scene = Scene.open(source, node, remarks);
    try (NftablesBackend nftables = new NftablesBackend(options);
        FlowEnder flows = new FlowEnder(options.namespace(), endTcp, log)) {
      log.say(start(scene.view().node(), options));
      new SyncLoop(scene.view(), nftables, Pace.DEFAULT, flows).once();
      nftables.tidy();
    }
    return 0;
  }

  private int follow(Source cluster, NftablesOptions options, Remarks remarks, RunLog log) {
    NodeSettings settings = node.settings(remarks);
    String name = Scene.node(source, node, remarks);
    NodeDaemon.Plan plan = new NodeDaemon.Plan(name, settings, options, endTcp, Pace.DEFAULT);
    try (NodeDaemon daemon = new NodeDaemon(cluster, plan, log)) {
      log.say(start(name, options));
      daemon.run();
    }
    log.say("stopped; the rules stay in place ('portolan cleanup' removes them)");
    return 0;
  }

  private String start(String name, NftablesOptions options) {
    return "node "
        + name
        + ": programming "
        + namespace
        + " with "
        + backend
        + ", table "
        + options.table()
        + ", from "
        + source;
  }
}
