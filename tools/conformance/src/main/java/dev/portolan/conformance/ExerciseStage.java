package dev.portolan.conformance;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.node.NodeImage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where an exercise is played: a cluster that it changes, and a candidate that follows. */
abstract class ExerciseStage implements AutoCloseable {
  private static final Duration WATCH = Duration.ofMillis(250);
  private static final Duration LOOK = Duration.ofMillis(10);
  private static final Duration STEP = Duration.ofMillis(1);

  private final String node;
  private final NodeSettings settings;
  private final Sizes sizes;
  private final Consumer<String> progress;
  private @Nullable Brain brain;
  private @Nullable NodeView view;
  private int states;

  ExerciseStage(String node, NodeSettings settings, Sizes sizes, Consumer<String> progress) {
    this.node = node;
    this.settings = settings;
    this.sizes = sizes;
    this.progress = progress;
  }

  String node() {
    return node;
  }

  NodeSettings settings() {
    return settings;
  }

  Sizes sizes() {
    return sizes;
  }

  /** Says how far the exercise has come. */
  void progress(String words) {
    progress.accept(words);
  }

  /** The brain at work. */
  Brain brain() {
    if (brain == null) {
      throw new IllegalStateException("the brain is not there yet");
    }
    return brain;
  }

  /** What the candidate has to come to. */
  NodeImage image() {
    if (view == null) {
      throw new IllegalStateException("the brain is not there yet");
    }
    return view.image();
  }

  /** Takes a new brain, which knows {@code cluster}. */
  void think(ClusterImage cluster) {
    Brain next = new Brain(warning -> {});
    next.apply(cluster);
    brain = next;
    view = next.open(node, settings);
  }

  /** Starts the brain with {@code cluster}, and the candidate. */
  abstract void begin(ClusterImage cluster);

  /** Ends the brain; the candidate goes on. */
  abstract void serverGoes();

  /** Brings a new brain, which knows {@code cluster}, to the candidate that is there. */
  abstract void serverComes(ClusterImage cluster);

  /** Ends the candidate as a process ends, and starts it again. */
  abstract void restartCandidate(Runnable meanwhile);

  /** Lets the candidate get its whole state again. */
  abstract void startOver();

  /** The candidate as it runs. */
  abstract Candidate.Running running();

  /** Whether the candidate says that it has applied everything. */
  abstract boolean isApplied();

  /** What is missing until it is. */
  abstract String arrears();

  /** The rules that the candidate has broken. */
  abstract List<String> offences();

  /** Changes the cluster. */
  final void apply(ClusterDelta change) {
    brain().apply(change);
  }

  /** Makes the cluster equal to {@code cluster}. */
  final void become(ClusterImage cluster) {
    apply(ClusterDelta.between(brain().cluster(), cluster));
  }

  /** Waits until the candidate acknowledges everything, and checks that it has applied it. */
  final void settle() {
    awaitApplied();
    judge("after it acknowledged everything");
  }

  /** Waits until the candidate says that it has applied everything. */
  final void awaitApplied() {
    await(this::isApplied, () -> "it " + arrears());
  }

  /** Waits until {@code condition} holds; {@code failure} says what is wrong if it never does. */
  final void await(BooleanSupplier condition, Supplier<String> failure) {
    long end = System.nanoTime() + sizes.patience().toNanos();
    while (!condition.getAsBoolean()) {
      checkConduct();
      if (System.nanoTime() > end) {
        throw new ConformanceException(
            "within %d s %s%s"
                .formatted(
                    sizes.patience().toSeconds(),
                    failure.get(),
                    running().complaint().map("; it printed: "::concat).orElse("")));
      }
      rest(STEP);
    }
    checkConduct();
  }

  /** What was judged, in a few words. */
  final String judgement() {
    return switch (states) {
      case 0 -> "by acknowledgements alone";
      case 1 -> "1 state compared";
      default -> states + " states compared";
    };
  }

  /** Looks at what is programmed. */
  final void judge(String when) {
    judge(image(), when);
  }

  private void judge(NodeImage expected, String when) {
    Optional<List<String>> state = running().state();
    states += state.isPresent() ? 1 : 0;
    state
        .flatMap(lines -> StateComparison.difference(expected, lines))
        .ifPresent(difference -> {
          throw new ConformanceException(when + ": " + difference);
        });
  }

  /** Looks for a while: what is programmed must stay as {@code expected} says. */
  final void watch(NodeImage expected, String when) {
    long end = System.nanoTime() + WATCH.toNanos();
    while (System.nanoTime() < end) {
      checkConduct();
      judge(expected, when);
      rest(LOOK);
    }
  }

  /** Looks until all is applied: what is programmed must stay as it is decided. */
  final void watchUntilApplied(String when) {
    await(
        () -> {
          judge(when);
          return isApplied();
        },
        () -> "it " + arrears());
  }

  private void checkConduct() {
    if (!offences().isEmpty()) {
      throw new ConformanceException("it " + offences().getFirst());
    }
    running()
        .ended()
        .ifPresent(why -> {
          throw new ConformanceException("it ended: " + why);
        });
  }

  private static void rest(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public abstract void close();
}
