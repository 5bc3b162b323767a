package dev.portolan.server;

import dev.portolan.api.ExplanationMessages;
import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.brain.NodeDecision;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeImage;
import dev.portolan.explain.ExplainQuestion;
import dev.portolan.server.access.Caller;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Answers what happens to a connection on a node, or on all of them, and why. */
final class ExplainCall {
  private static final ExplainReply HEARTBEAT =
      ExplainReply.newBuilder().setHeartbeat(true).build();

  /** A cluster that changes all the time is not explained all the time. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Conversation<ExplainRequest, ExplainReply> conversation;
  private final Caller caller;
  private final Served served;
  private final List<Dataplane> dataplanes;

  /**
   * Answers one question.
   *
   * @param dataplanes what may be asked about; the first is meant where none is named
   */
  ExplainCall(
      Conversation<ExplainRequest, ExplainReply> conversation,
      Caller caller,
      Served served,
      List<Dataplane> dataplanes) {
    this.conversation = conversation;
    this.caller = caller;
    this.served = served;
    this.dataplanes = dataplanes;
  }

  /** Waits until the cluster is known, and answers. */
  void run() {
    answering(read(), answer -> conversation.write(answer.get()));
  }

  /** Answers, and again after each change that makes the answer another one. */
  void watch() {
    ExplainRequest request = read();
    conversation.beat(request.getHeartbeatMillis(), () -> HEARTBEAT);
    answering(
        request,
        answer -> {
          ExplainReply sent = ExplainReply.getDefaultInstance();
          long seen = 0;
          while (true) {
            seen = conversation.awaitAfter(served.decisions(), seen).revision();
            ExplainReply now = answer.get();
            if (!now.getExplanationsList().equals(sent.getExplanationsList())) {
              conversation.write(now);
              sent = now;
            }
            conversation.pause(PAUSE);
          }
        });
  }

  private ExplainRequest read() {
    return conversation.read().orElse(ExplainRequest.getDefaultInstance());
  }

  /** Does {@code work} with a function that answers {@code request} each time that it is called. */
  private void answering(ExplainRequest request, Consumer<Supplier<ExplainReply>> work) {
    ExplainQuestion question =
        asked(() ->
            ExplainQuestion.parse(
                request.getTarget(),
                request.getClient(),
                request.getAllNodes(),
                request.getProxyMode()));
    Dataplane dataplane = asked(() -> question.mode(dataplanes, it -> it));
    if (question.allNodes()) {
      caller.checkMaySeeAll();
      work.accept(() -> {
        ClusterImage cluster = conversation.awaitAfter(served.wholeCluster(), 0).value();
        List<Explanation> all = asked(() -> onAll(question, cluster, dataplane));
        return reply(all, dataplane).setNodeKnown(true).build();
      });
      return;
    }
    String node = node(request, question);
    caller.checkMayWatch(node);
    try (Views.View view = served.views().open(node)) {
      work.accept(() -> {
        conversation.awaitAfter(view.feed(), 0);
        // One decision, whatever the brain decides meanwhile.
        NodeDecision now = view.decision();
        NodeImage image = now.image();
        return reply(asked(() -> question.answer(now, dataplane)), dataplane)
            .setNode(image.facts().name())
            .setNodeKnown(image.facts().known())
            .setRevision(image.revision())
            .build();
      });
    }
  }

  private List<Explanation> onAll(
      ExplainQuestion question, ClusterImage cluster, Dataplane dataplane) {
    List<String> nodes = ExplainQuestion.nodes(cluster);
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("the cluster has no Node; name one (--node)");
    }
    return question.answer(nodes, served.views()::decision, dataplane);
  }

  /** The node that is asked about: the one that was named, or that of the pod that connects. */
  private String node(ExplainRequest request, ExplainQuestion question) {
    Optional<String> ofPod =
        request.getNode().isEmpty() && served.cluster().isPresent()
            ? asked(() ->
                question.nodeOfClient(
                    () -> conversation.awaitAfter(served.wholeCluster(), 0).value()))
            : Optional.empty();
    return ofPod.orElseGet(() -> served.node(request.getNode()));
  }

  private ExplainReply.Builder reply(List<Explanation> explanations, Dataplane dataplane) {
    ExplainReply.Builder reply = ExplainReply.newBuilder().setProxyMode(dataplane.name());
    ExplanationMessages.write(explanations, served.places(), reply);
    return reply;
  }

  /** What the client asked for; the core says in a sentence where that makes no sense. */
  private static <T> T asked(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException();
    }
  }
}
