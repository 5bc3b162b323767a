package dev.portolan.wiring;

import dev.portolan.brain.Brain;
import dev.portolan.core.cluster.ObjectRef;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a chart is drawn of.
 *
 * @param brain what decides
 * @param node the only node that can be looked from; empty where all of the cluster's can
 * @param modes what connections can be explained for; the first is meant where none is named
 * @param source where the cluster is read from, in words
 * @param reading how that goes
 * @param version the program's own
 * @param places where objects are written
 * @param fleet how far nodes are; empty where that is not known
 * @param recording the recording that is made, or read; empty where there is none
 * @param traffic the counters, read when asked for; empty where nothing counts
 */
public record ChartSubject(
    Brain brain,
    String node,
    List<ExplainedMode> modes,
    String source,
    WatchedSource reading,
    String version,
    Function<ObjectRef, Optional<String>> places,
    Optional<Supplier<List<NodeProgress>>> fleet,
    Optional<Path> recording,
    Supplier<Optional<TrafficReading>> traffic) {
  /** A chart of {@code brain} alone. */
  public static ChartSubject of(
      Brain brain,
      List<ExplainedMode> modes,
      String source,
      WatchedSource reading,
      String version) {
    return new ChartSubject(
        brain,
        "",
        modes,
        source,
        reading,
        version,
        object -> Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional::empty);
  }

  /** The same, looked at from {@code only} alone. */
  public ChartSubject on(String only) {
    return new ChartSubject(
        brain, only, modes, source, reading, version, places, fleet, recording, traffic);
  }

  /** The same, where it is known in which place an object is written. */
  public ChartSubject placed(Function<ObjectRef, Optional<String>> where) {
    return new ChartSubject(
        brain, node, modes, source, reading, version, where, fleet, recording, traffic);
  }

  /** The same, where it is known how far nodes are. */
  public ChartSubject following(Supplier<List<NodeProgress>> progress) {
    return new ChartSubject(
        brain,
        node,
        modes,
        source,
        reading,
        version,
        places,
        Optional.of(progress),
        recording,
        traffic);
  }

  /** The same with a recording to look back with. */
  public ChartSubject recordedIn(Path folder) {
    return new ChartSubject(
        brain, node, modes, source, reading, version, places, fleet, Optional.of(folder), traffic);
  }

  /** The same with counters of traffic. */
  public ChartSubject counting(Supplier<Optional<TrafficReading>> counters) {
    return new ChartSubject(
        brain, node, modes, source, reading, version, places, fleet, recording, counters);
  }
}
