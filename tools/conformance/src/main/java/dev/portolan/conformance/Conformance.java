package dev.portolan.conformance;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeImage;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Namespace;
import dev.portolan.packets.PacketTable;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The exercises that any backend must pass.
 *
 * <p>For tests of JUnit, each exercise is a test of its own:
 *
 * <pre>{@code
 * @TestFactory
 * Stream<DynamicTest> conforms() {
 *   return Conformance.of(MyBackend::new, MyBackend::applied).overTheApi().stream()
 *       .map(exercise -> DynamicTest.dynamicTest(exercise.name(), exercise::check));
 * }
 * }</pre>
 */
public final class Conformance {
  private final Candidate candidate;
  private final Sizes sizes;
  private final Optional<Namespace> namespace;

  private Conformance(Candidate candidate, Sizes sizes, Optional<Namespace> namespace) {
    this.candidate = candidate;
    this.sizes = sizes;
    this.namespace = namespace;
  }

  /** The exercises for a candidate of any kind. */
  public static Conformance of(Candidate candidate) {
    return new Conformance(candidate, Sizes.FULL, Optional.empty());
  }

  /** The exercises for a Java backend that does not expose what it has applied. */
  public static <B extends Backend> Conformance of(Supplier<B> backends) {
    return of(new BackendCandidate<>(backends, backend -> Optional.empty()));
  }

  /**
   * The exercises for a backend of Java.
   *
   * @param backends makes a new one for each start
   * @param state what one of them has applied; called by another thread than its syncs
   */
  public static <B extends Backend> Conformance of(
      Supplier<B> backends, Function<B, NodeImage> state) {
    return of(
        new BackendCandidate<>(
            backends, state.andThen(StateComparison::lines).andThen(Optional::of)));
  }

  /**
   * The exercises for a backend of Java whose state is known as lines, as {@link
   * Candidate.Running#state} describes them.
   */
  public static <B extends Backend> Conformance ofLines(
      Supplier<B> backends, Function<B, List<String>> state) {
    return of(new BackendCandidate<>(backends, state.andThen(Optional::of)));
  }

  /** The same with other sizes. */
  public Conformance with(Sizes sizes) {
    return new Conformance(candidate, sizes, namespace);
  }

  /** The same, with the candidate in a network namespace. */
  public Conformance in(Namespace namespace) {
    return new Conformance(candidate, sizes, Optional.of(namespace));
  }

  /** The exercises for the candidate behind a connection; they need no kernel. */
  public List<Exercise> overTheApi() {
    return Stream.<StreamExercises.Script<? super ServedStage>>concat(
            StreamExercises.common().stream(), StreamExercises.connected().stream())
        .map(script ->
            exercise(
                script,
                progress ->
                    new ServedStage(
                        candidate,
                        namespace,
                        script.node(),
                        NodeSettings.DEFAULT,
                        sizes,
                        progress)))
        .toList();
  }

  /**
   * The exercises for a backend of Java in the process of its brain, as far as they make sense
   * without a connection.
   */
  public List<Exercise> inProcess() {
    if (candidate instanceof BackendCandidate<?> backend) {
      return inProcess(backend);
    }
    throw new IllegalStateException("a program is always in a process of its own");
  }

  private <B extends Backend> List<Exercise> inProcess(BackendCandidate<B> backend) {
    return StreamExercises.common().stream()
        .map(script ->
            exercise(script, progress -> new LocalStage<>(backend, script.node(), sizes, progress)))
        .toList();
  }

  /** The exercises with packets, on the node of {@code lab}, with the candidate there. */
  public List<Exercise> packets(Lab lab) {
    return packets(() -> lab);
  }

  /** The same, on a lab that is asked for when an exercise runs. */
  public List<Exercise> packets(Supplier<Lab> lab) {
    Packets packets = new Packets(lab, candidate, sizes);
    return Stream.concat(
            PacketTable.all().stream().map(packets::table), Stream.of(packets.traffic()))
        .toList();
  }

  private static <S extends ExerciseStage> Exercise exercise(
      StreamExercises.Script<? super S> script, Function<Consumer<String>, S> stages) {
    return new Exercise(
        script.name(),
        script.purpose(),
        progress -> {
          try (S stage = stages.apply(progress)) {
            script.scene().play(stage);
            return stage.judgement();
          }
        });
  }
}
