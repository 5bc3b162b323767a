package dev.portolan.demo;

import dev.portolan.core.backend.BackendException;
import dev.portolan.lab.Actor;
import dev.portolan.lab.LabException;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.nftables.Nftables;
import dev.portolan.terminal.Terminal;
import dev.portolan.wiring.NodeEvents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Plays the acts one after the other, and takes everything down in any case. */
public final class Demo {
  private static final int INTERRUPTED = 130;
  private static final List<Act> ACTS =
      List.of(
          new SpreadAct(),
          new DepartureAct(),
          new PolicyAct(),
          new RefusalAct(),
          new ExplainAct(),
          new RulesAct());

  private final Page page;
  private final NodeEvents log;
  private final boolean keep;
  private final long start = System.nanoTime();
  private boolean encore;

  /**
   * Plays for {@code terminal}; {@code keep} leaves everything running until Ctrl-C, and {@code
   * log} is notified of what happens until then.
   */
  public Demo(Terminal terminal, NodeEvents log, boolean keep) {
    this.page = new Page(terminal);
    this.log = log;
    this.keep = keep;
  }

  /** Plays; returns the exit status, which is 0 only if every check held. */
  public int play() {
    page.line("A small cluster on this machine, isolated in network namespaces and removed");
    page.line("at the end. Building it takes a moment.");
    boolean interrupted = false;
    DemoStage stage = null;
    try {
      stage = DemoStage.open();
      page.heading("The stage, built in " + Page.time(stage.lab().setupTime()));
      new StageAct().play(stage, page);
      for (Act act : ACTS) {
        act.play(stage, page);
      }
      if (keep) {
        encore = true;
        stage.diary().tell(log);
        Encore.play(stage, page);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (LabException | BackendException | NetlinkException e) {
      page.gap();
      page.check(false, String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    } finally {
      // What takes things down waits for programs, and must not be interrupted.
      boolean _ = Thread.interrupted();
      if (stage != null) {
        takeDown(stage);
      }
    }
    return verdict(interrupted && !encore);
  }

  private void takeDown(DemoStage stage) {
    List<Path> namespaces =
        Stream.of(Actor.values()).map(actor -> stage.lab().at(actor).path()).distinct().toList();
    page.heading("Cleaning up");
    try (stage) {
      stage.removeRules();
      page.check(tables(stage).isEmpty(), "worker-1's kernel has no Portolan table left");
    } catch (BackendException | NetlinkException e) {
      page.check(false, String.valueOf(e.getMessage()));
    }
    page.check(
        namespaces.stream().noneMatch(Files::exists) && !Files.exists(stage.manifests()),
        "the network namespaces, the servers in them and the manifests are gone");
  }

  private static List<String> tables(DemoStage stage) {
    try (Nftables kernel = new Nftables(Optional.of(stage.lab().node().path()))) {
      return Stream.of(AddressFamily.values())
          .flatMap(family -> kernel.tables(family).stream())
          .filter(DemoStage.TABLE::equals)
          .toList();
    }
  }

  private int verdict(boolean interrupted) {
    page.gap();
    if (interrupted) {
      page.line("Interrupted.");
      return INTERRUPTED;
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    int status = page.verdict(encore ? "" : ", in " + Page.time(took));
    if (status == 0 && !keep) {
      page.line("'portolan demo --keep' keeps the cluster running.");
    }
    return status;
  }
}
