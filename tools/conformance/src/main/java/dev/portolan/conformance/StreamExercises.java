package dev.portolan.conformance;

import dev.portolan.conformance.clusters.RandomCluster;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.node.NodeImage;
import dev.portolan.lab.Actor;
import dev.portolan.packets.PacketTable;
import java.util.List;

/** The exercises that need no kernel: what a candidate does with its input, and when. */
final class StreamExercises {
  private static final String RANDOM_NODE = RandomCluster.NODES.getFirst();
  private static final int FEW = 20;
  private static final int BURSTS = 5;
  private static final int LOOK_EVERY = 10;

  private StreamExercises() {}

  /** An exercise, as it is written here. */
  record Script<S extends ExerciseStage>(
      String name, String purpose, String node, Scene<S> scene) {}

  /** What is done on a stage. */
  interface Scene<S extends ExerciseStage> {
    void play(S stage);
  }

  /** Those that every stage can play. */
  static List<Script<ExerciseStage>> common() {
    return List.of(
        new Script<>(
            "empty-cluster",
            "An empty cluster is a state too.",
            Actor.NODE_NAME,
            StreamExercises::emptyCluster),
        new Script<>(
            "first-state",
            "Every kind of service is added and removed.",
            Actor.NODE_NAME,
            StreamExercises::firstState),
        new Script<>(
            "unknown-node",
            "A node without a Node object is served.",
            "never-seen",
            StreamExercises::unknownNode),
        new Script<>(
            "churn",
            "Random changes, one after another, lead to the right state.",
            RANDOM_NODE,
            StreamExercises::churn),
        new Script<>(
            "bursts",
            "Of many changes at once, the last one counts.",
            RANDOM_NODE,
            StreamExercises::bursts),
        new Script<>(
            "server-restart",
            "A brain that restarts with the same state changes nothing.",
            Actor.NODE_NAME,
            StreamExercises::serverRestart),
        new Script<>(
            "server-restart-other-state",
            "What is gone after a restart of the brain is removed.",
            LargeCluster.NODE,
            StreamExercises::serverRestartOtherState),
        new Script<>(
            "backend-restart",
            "A restarted backend continues with what it left behind.",
            LargeCluster.NODE,
            StreamExercises::backendRestart),
        new Script<>(
            "whole-state-again",
            "Sending the full state again changes nothing.",
            Actor.NODE_NAME,
            StreamExercises::wholeStateAgain),
        new Script<>(
            "many-services",
            "A large cluster is added and removed.",
            LargeCluster.NODE,
            StreamExercises::manyServices),
        new Script<>(
            "many-endpoints",
            "A large service grows and shrinks.",
            LargeCluster.NODE,
            StreamExercises::manyEndpoints));
  }

  /** Those for which a connection is needed. */
  static List<Script<ServedStage>> connected() {
    return List.of(
        new Script<>(
            "late-server",
            "The backend waits for a brain that is not up yet.",
            Actor.NODE_NAME,
            StreamExercises::lateServer),
        new Script<>(
            "cut-in-change",
            "An incomplete change has no effect, even if the connection breaks in the middle.",
            LargeCluster.NODE,
            StreamExercises::cutInChange),
        new Script<>(
            "reset-in-stream",
            "A Reset removes nothing until the state after it is complete.",
            LargeCluster.NODE,
            StreamExercises::resetInStream));
  }

  private static void emptyCluster(ExerciseStage stage) {
    stage.begin(ClusterImage.EMPTY);
    stage.settle();
  }

  private static void firstState(ExerciseStage stage) {
    stage.begin(PacketTable.cluster());
    stage.settle();
    stage.become(ClusterImage.EMPTY);
    stage.settle();
  }

  private static void unknownNode(ExerciseStage stage) {
    stage.begin(PacketTable.cluster());
    stage.settle();
  }

  private static void churn(ExerciseStage stage) {
    stage.begin(ClusterImage.EMPTY);
    int changes = stage.sizes().transactions();
    for (int number = 1; number <= changes; number++) {
      stage.progress("change " + number + " of " + changes);
      stage.apply(RandomCluster.event(number));
      stage.awaitApplied();
      if (number % LOOK_EVERY == 0) {
        stage.settle();
      }
    }
    stage.become(ClusterImage.EMPTY);
    stage.settle();
  }

  private static void bursts(ExerciseStage stage) {
    stage.begin(ClusterImage.EMPTY);
    int changes = stage.sizes().transactions();
    for (int burst = 0; burst < BURSTS; burst++) {
      stage.progress("burst " + (burst + 1) + " of " + BURSTS);
      for (int number = 0; number < changes; number++) {
        stage.apply(RandomCluster.event(1_000L + (long) burst * changes + number));
      }
      stage.settle();
    }
  }

  private static void serverRestart(ExerciseStage stage) {
    ClusterImage cluster = PacketTable.cluster();
    stage.begin(cluster);
    stage.settle();
    stage.serverGoes();
    stage.watch(stage.image(), "while the server was away");
    stage.serverComes(cluster);
    stage.watchUntilApplied("while the server came back with the same state");
    stage.settle();
  }

  private static void serverRestartOtherState(ExerciseStage stage) {
    stage.begin(few());
    stage.settle();
    stage.serverGoes();
    stage.serverComes(LargeCluster.services(FEW / 2, FEW).applyTo(nodeAlone()));
    stage.settle();
  }

  private static void backendRestart(ExerciseStage stage) {
    stage.begin(few());
    stage.settle();
    stage.restartCandidate(
        () -> stage.become(LargeCluster.services(FEW / 2, FEW).applyTo(nodeAlone())));
    stage.settle();
  }

  private static void wholeStateAgain(ExerciseStage stage) {
    stage.begin(PacketTable.cluster());
    stage.settle();
    stage.startOver();
    stage.watchUntilApplied("while the same state came again");
    stage.settle();
  }

  private static void manyServices(ExerciseStage stage) {
    int services = stage.sizes().services();
    stage.begin(nodeAlone());
    stage.settle();
    stage.progress(services + " services come");
    stage.apply(LargeCluster.services(0, services));
    stage.settle();
    stage.progress("one of " + services + " services goes");
    stage.apply(LargeCluster.removal(services / 2, 1));
    stage.settle();
    stage.progress("all services go");
    stage.become(nodeAlone());
    stage.settle();
  }

  private static void manyEndpoints(ExerciseStage stage) {
    int endpoints = stage.sizes().endpoints();
    stage.begin(nodeAlone());
    stage.settle();
    stage.progress(endpoints + " endpoints come");
    stage.apply(LargeCluster.endpoints(0, endpoints, endpoints));
    stage.settle();
    stage.progress("one of " + endpoints + " endpoints goes");
    stage.apply(LargeCluster.endpoints(1, endpoints, endpoints));
    stage.settle();
    stage.progress("half of the endpoints go");
    stage.apply(LargeCluster.endpoints(endpoints / 2, endpoints, endpoints));
    stage.settle();
    stage.progress("all endpoints go");
    stage.apply(LargeCluster.endpoints(0, 0, endpoints));
    stage.settle();
  }

  private static void lateServer(ServedStage stage) {
    stage.candidateComes();
    stage.serverComes(PacketTable.cluster());
    stage.settle();
  }

  private static void cutInChange(ServedStage stage) {
    stage.begin(few());
    stage.settle();
    NodeImage before = stage.image();
    Hold hold = stage.hold(FEW / 2);
    stage.apply(exchange());
    stage.awaitHold(hold);
    stage.watch(before, "when half of a change was there");
    stage.cut();
    stage.settle();
  }

  private static void resetInStream(ServedStage stage) {
    stage.begin(few());
    stage.settle();
    NodeImage before = stage.image();
    Hold half = stage.hold(FEW / 2);
    stage.startOver();
    stage.awaitHold(half);
    stage.watch(before, "when a Reset and half of the state were there");
    stage.release();
    stage.settle();
    Hold again = stage.hold(FEW / 2);
    stage.apply(exchange());
    stage.awaitHold(again);
    stage.startOver();
    stage.release();
    stage.settle();
  }

  /** Replaces some of the few services. */
  private static ClusterDelta exchange() {
    ClusterImage present = few();
    return ClusterDelta.between(
        present,
        LargeCluster.removal(0, FEW / 2).applyTo(LargeCluster.services(FEW, FEW).applyTo(present)));
  }

  private static ClusterImage few() {
    return LargeCluster.services(0, FEW).applyTo(nodeAlone());
  }

  private static ClusterImage nodeAlone() {
    return LargeCluster.node().applyTo(ClusterImage.EMPTY);
  }
}
