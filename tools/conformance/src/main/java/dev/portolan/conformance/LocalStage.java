package dev.portolan.conformance;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.Upkeep;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFeed;
import dev.portolan.core.node.NodeImage;
import dev.portolan.sync.Keeper;
import dev.portolan.sync.Observer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A brain and a backend in one process, as the daemon of a node has them. */
final class LocalStage<B extends Backend> extends ExerciseStage {
  private final BackendCandidate<B> candidate;
  private @Nullable B backend;
  private @Nullable Loop loop;

  LocalStage(BackendCandidate<B> candidate, String node, Sizes sizes, Consumer<String> progress) {
    super(node, NodeSettings.DEFAULT, sizes, progress);
    this.candidate = candidate;
  }

  @Override
  void begin(ClusterImage cluster) {
    backend = candidate.make();
    serverComes(cluster);
  }

  @Override
  void serverGoes() {
    if (loop != null) {
      loop.close();
    }
  }

  @Override
  void serverComes(ClusterImage cluster) {
    think(cluster);
    follow();
  }

  private void follow() {
    if (backend == null) {
      throw new IllegalStateException("the backend is not there yet");
    }
    loop = new Loop(backend, brain().open(node(), settings()));
  }

  @Override
  void restartCandidate(Runnable meanwhile) {
    close();
    meanwhile.run();
    backend = candidate.make();
    follow();
  }

  @Override
  void startOver() {
    serverGoes();
    follow();
  }

  @Override
  Candidate.Running running() {
    if (loop == null) {
      throw new IllegalStateException("the backend is not there yet");
    }
    return loop;
  }

  @Override
  boolean isApplied() {
    return loop != null && loop.isApplied();
  }

  @Override
  String arrears() {
    String failure = loop == null ? "" : loop.failure;
    return "did not return from its sync" + (failure.isEmpty() ? "" : "; it failed: " + failure);
  }

  @Override
  List<String> offences() {
    return List.of();
  }

  @Override
  public void close() {
    serverGoes();
    if (backend != null) {
      backend.close();
    }
  }

  /** The keeper that daemons have too, on a thread of its own. */
  private final class Loop implements Observer, Candidate.Running {
    private final B backend;
    private final NodeFeed feed;
    private final KeeperThread keeper;
    private volatile long applied;
    private volatile String failure = "";

    Loop(B backend, NodeFeed feed) {
      this.backend = backend;
      this.feed = feed;
      this.keeper =
          new KeeperThread(
              new Keeper(feed, new Lent(backend), Keeper.Options.DEFAULT, this), work -> work);
    }

    @Override
    public void applied(NodeChange change, Duration took) {
      applied = change.after().revision();
    }

    @Override
    public void failed(BackendException problem, Duration took, Duration pause) {
      failure = String.valueOf(problem.getMessage());
    }

    boolean isApplied() {
      return applied == feed.image().revision();
    }

    @Override
    public Optional<String> ended() {
      return keeper.ended();
    }

    @Override
    public Optional<List<String>> state() {
      return candidate.state(backend);
    }

    @Override
    public void close() {
      keeper.close();
    }
  }

  /** A backend that outlives the keeper which runs it. */
  private record Lent(Backend backend) implements Backend {
    @Override
    public void sync(NodeChange change) {
      backend.sync(change);
    }

    @Override
    public void cleanup() {
      backend.cleanup();
    }

    @Override
    public boolean usesConntrack() {
      return backend.usesConntrack();
    }

    @Override
    public NodeChange tracked(NodeChange change) {
      return backend.tracked(change);
    }

    @Override
    public void tidy() {
      backend.tidy();
    }

    @Override
    public Audit audit(NodeImage applied) {
      return backend.audit(applied);
    }

    @Override
    public Upkeep upkeep() {
      return backend.upkeep();
    }

    @Override
    public Watch watch(Consumer<String> suspicions) {
      return backend.watch(suspicions);
    }
  }
}
