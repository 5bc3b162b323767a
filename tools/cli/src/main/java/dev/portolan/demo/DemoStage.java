package dev.portolan.demo;

import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.NodeSettings;
import dev.portolan.conntrack.TcpCleaning;
import dev.portolan.core.error.Threads;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeImage;
import dev.portolan.explain.Explainer;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Probe;
import dev.portolan.lab.Reply;
import dev.portolan.mode.ModeSettings;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.source.file.FileSource;
import dev.portolan.sync.Keeper;
import dev.portolan.wiring.NodeDaemon;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Where the demo plays: the lab, the shop's manifests, and a Portolan that programs the node. */
final class DemoStage implements AutoCloseable {
  private static final ModeSettings SETTINGS = ModeConfiguration.byDefault();

  /** The name of the tables. */
  static final String TABLE = ModeConfiguration.table(SETTINGS);

  private final ShopFolder folder;
  private final Lab lab;
  private final NodeDaemon daemon;
  private final Diary diary = new Diary();
  private final Thread runner;
  private final List<TriedConnection> connections = new ArrayList<>();
  private boolean closed;

  private DemoStage(ShopFolder folder, Lab lab) {
    this.folder = folder;
    this.lab = lab;
    ModeSettings settings = SETTINGS.in(Optional.of(lab.node().path()));
    this.daemon =
        new NodeDaemon(
            new FileSource(folder.path()),
            new NodeDaemon.Plan(
                Actor.NODE_NAME,
                BrainSettings.DEFAULT,
                NodeSettings.DEFAULT,
                KernelModes.here().getFirst().rules(settings).open().backend(),
                Keeper.Options.DEFAULT.flows(TcpCleaning.NEVER, settings.namespace())),
            diary);
    this.runner = Threads.platform("portolan").unstarted(daemon::run);
  }

  /** Builds the lab and starts Portolan; the first rules are written when it returns. */
  static DemoStage open() throws InterruptedException {
    ShopFolder folder = new ShopFolder();
    Lab lab = null;
    DemoStage stage = null;
    try {
      lab = openLab();
      stage = new DemoStage(folder, lab);
      stage.runner.start();
      stage.diary.await(1);
      return stage;
    } catch (InterruptedException | RuntimeException e) {
      if (stage != null) {
        stage.close();
      } else {
        if (lab != null) {
          lab.close();
        }
        folder.close();
      }
      throw e;
    }
  }

  /** On another thread: an interrupt halfway would leave half a lab behind. */
  private static Lab openLab() throws InterruptedException {
    FutureTask<Lab> task = new FutureTask<>(Lab::open);
    Threads.platform("lab").start(task::run);
    boolean interrupted = false;
    while (true) {
      try {
        Lab lab = task.get();
        if (interrupted) {
          lab.close();
          throw new InterruptedException();
        }
        return lab;
      } catch (ExecutionException e) {
        if (interrupted) {
          throw new InterruptedException();
        }
        throw e.getCause() instanceof RuntimeException cause
            ? cause
            : new IllegalStateException(e.getCause());
      } catch (InterruptedException e) {
        if (task.isDone()) {
          throw e;
        }
        interrupted = true;
      }
    }
  }

  /** The network. */
  Lab lab() {
    return lab;
  }

  /** The folder of manifests. */
  Path manifests() {
    return folder.path();
  }

  /** What Portolan decided for the node. */
  NodeImage image() {
    return daemon.view().image();
  }

  /** All that was written to the kernel. */
  Diary diary() {
    return diary;
  }

  /** All connections so far. */
  List<TriedConnection> connections() {
    return List.copyOf(connections);
  }

  /** Asks {@code explain}. */
  Explanation explain(Question question) {
    return new Explainer(daemon.view().decision())
        .explain(question.target(), Optional.of(question.who()))
        .getFirst();
  }

  /** Makes a connection after asking {@code explain} about it. */
  TriedConnection connect(Question question, Duration patience) throws InterruptedException {
    Explanation said = explain(question);
    long start = System.nanoTime();
    Reply reply = ask(question, patience);
    TriedConnection connection =
        new TriedConnection(
            question, reply, Duration.ofNanos(System.nanoTime() - start), List.of(said));
    remember(connection);
    return connection;
  }

  /** Makes several connections, one after the other. */
  List<TriedConnection> connect(Question question, int times) throws InterruptedException {
    List<TriedConnection> made = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      made.add(connect(question, Probe.PATIENT));
    }
    return made;
  }

  /** Makes a connection, and says nothing of it. */
  Reply ask(Question question, Duration patience) throws InterruptedException {
    Reply reply =
        lab.probe(question.client())
            .ask(Protocol.TCP, question.address(), question.port(), patience);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return reply;
  }

  /** Keeps a connection for the act that asks whether {@code explain} was right. */
  void remember(TriedConnection connection) {
    connections.add(connection);
  }

  /** Edits a manifest, and waits until the kernel has it; returns the sync that brought it. */
  Diary.Sync edit(String file, String old, String now) throws InterruptedException {
    long revision = diary.last().revision();
    folder.edit(file, old, now);
    return diary.await(revision + 1);
  }

  /** Removes the rules, as {@code portolan cleanup} does. */
  void removeRules() {
    stop();
    daemon.cleanup();
  }

  /** Takes everything down; once. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      stop();
      daemon.close();
    } finally {
      lab.close();
      folder.close();
    }
  }

  private void stop() {
    runner.interrupt();
    try {
      runner.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
