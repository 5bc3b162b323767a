package dev.portolan.cli.command;

import dev.portolan.demo.Demo;
import dev.portolan.demo.LoopbackDemo;
import dev.portolan.demo.UserNamespace;
import dev.portolan.lab.Lab;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.StopSignal;
import dev.portolan.terminal.Terminal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows Portolan at work in a small cluster of its own. */
@Command(
    name = "demo",
    header = "Show Portolan at work in a small cluster on this machine.",
    customSynopsis = "portolan demo [--keep] [--backend userspace]",
    sortOptions = false,
    footerHeading =
        "%nBuilds nodes, pods and a client out of network namespaces, programs the kernel%nin one"
            + " of them, opens real connections, and removes everything. Takes a few%nseconds."
            + " Needs root or unprivileged user namespaces. With --backend userspace, pods%nare"
            + " servers on localhost, and nothing is needed. The exit status is 0 if all%nchecks"
            + " pass.%n%nExamples:%n",
    footer = {"  portolan demo", "  portolan demo --keep", "  portolan demo --backend userspace"})
public final class DemoCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--keep", description = "Keep the cluster running until Ctrl-C.")
  private boolean keep;

  @Option(
      names = "--backend",
      paramLabel = "BACKEND",
      description =
          "nftables, or userspace, which needs neither root nor Linux. Default: nftables.")
  private String backend = "nftables";

  /** Prints to {@code terminal}. */
  public DemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (Choice.of("--backend", backend, List.of("nftables", "userspace")).equals("userspace")) {
      return StopSignal.during(terminal, new LoopbackDemo(terminal, keep)::play);
    }
    if (!UserNamespace.isRoot()) {
      return StopSignal.during(terminal, this::playInside);
    }
    Optional<String> obstacle = Lab.obstacle();
    if (obstacle.isPresent()) {
      throw CommandFailure.refused("the demo cannot run here: " + obstacle.get());
    }
    return StopSignal.during(
        terminal, () -> new Demo(terminal, new RunLog(new Remarks(terminal)), keep).play());
  }

  private int playInside() {
    try {
      Optional<String> obstacle = UserNamespace.obstacle();
      if (obstacle.isPresent()) {
        throw CommandFailure.refused(
            "the demo creates network namespaces: run it as root, or provide " + obstacle.get());
      }
      return UserNamespace.runInside();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CommandFailure.FAILED;
    }
  }
}
