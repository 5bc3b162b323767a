package dev.portolan.server;

import static dev.portolan.server.World.service;
import static dev.portolan.server.World.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.api.ExplanationMessages;
import dev.portolan.api.Methods;
import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.fate.Explanation;
import dev.portolan.explain.Explainer;
import dev.portolan.explain.Target;
import dev.portolan.testbase.Await;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExplainTest {
  private static final ObjectRef WEB = new ObjectRef("Service", "default/web");
  private static final NamespacedName WEB_NAME = new NamespacedName("default", "web");

  @AutoClose private Rig rig;

  @BeforeEach
  void start() throws Exception {
    rig =
        new Rig(
            Options.builder()
                .listen(ListenAddress.plain(Rig.freeSocket()))
                .places(
                    object -> object.equals(WEB) ? Optional.of("web.yaml:3") : Optional.empty()));
  }

  private ExplainReply explain(String node, String target, String client) {
    return ClientCalls.blockingUnaryCall(
        rig.channel(),
        Methods.EXPLAIN,
        CallOptions.DEFAULT,
        ExplainRequest.newBuilder().setNode(node).setTarget(target).setClient(client).build());
  }

  private void web() {
    rig.apply(
        ClusterDelta.builder().set(service("web", 2)).set(slice("web", "10.1.0.1", "10.1.0.2")));
  }

  @Test
  void theServerExplainsWhatItDecided() throws Exception {
    web();
    ExplainReply reply = explain("n1", "default/web", "");
    assertThat(reply.getNode()).isEqualTo("n1");
    assertThat(reply.getNodeKnown()).isFalse();
    assertThat(reply.getRevision()).isEqualTo(1);
    assertThat(ExplanationMessages.explanations(reply))
        .isEqualTo(
            new Explainer(rig.brain.open("n1", NodeSettings.DEFAULT).decision())
                .explain(Target.parse("default/web"), Optional.empty()));
    assertThat(ExplanationMessages.places(reply)).isEqualTo(Map.of(WEB, "web.yaml:3"));
  }

  @Test
  void theRevisionIsTheNewest() {
    web();
    assertThat(explain("n1", "default/web", "").getRevision()).isEqualTo(1);
    rig.apply(ClusterDelta.builder().set(slice("web", "10.1.0.1")));
    ExplainReply reply = explain("n1", "default/web", "");
    assertThat(reply.getRevision()).isEqualTo(2);
    assertThat(reply.getExplanations(0).getEndpointsList()).hasSize(1);
  }

  @Test
  void whatIsExplainedIsWholeWhileTheBrainDecidesOn() throws Exception {
    List<Runnable> states =
        List.of(
            this::web,
            () -> rig.apply(ClusterDelta.builder().set(slice("web", "10.1.0.1"))),
            () -> rig.apply(ClusterDelta.builder().removeService(WEB_NAME)));
    Set<List<Explanation>> whole = new HashSet<>();
    for (Runnable state : states) {
      state.run();
      whole.add(ExplanationMessages.explanations(explain("n1", "default/web", "")));
    }
    assertThat(whole).hasSize(3);
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService changing = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> changes =
          changing.submit(() -> {
            while (!over.get()) {
              states.forEach(Runnable::run);
            }
          });
      try {
        for (int i = 0; i < 300; i++) {
          assertThat(whole)
              .contains(ExplanationMessages.explanations(explain("n1", "default/web", "")));
        }
      } finally {
        over.set(true);
      }
      changes.get();
    }
  }

  @Test
  void aServerThatDoesNotKnowItsClusterAnswersWhenItDoes() throws Exception {
    try (ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<ExplainReply> waiting = asking.submit(() -> explain("n1", "default/web", "pod"));
      web();
      assertThat(waiting.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS).getRevision())
          .isEqualTo(1);
    }
  }

  @Test
  void aServiceThatIsNotThereIsExplainedToo() {
    web();
    assertThat(explain("n1", "default/db", "").getExplanations(0).getSteps(0).getText())
        .isEqualTo("the cluster has no Service default/db that a proxy serves");
  }

  @Test
  void aQuestionThatMakesNoSenseIsRefusedWithASentence() {
    web();
    refused("", "default/web", "", "the request names no node, and this server answers for many");
    refused("n1", "web//", "", "'web//' is not a valid target; write a service");
    refused(
        "n1",
        "default/web",
        "me",
        "'me' is not a valid client; write pod, pod/NAMESPACE/NAME, node, external or an IP");
    refused("n1", "10.96.0.3:80", "fd00::1", "the client's address is IPv6 and the target's is");
  }

  @Test
  void allNodesAreAnsweredAtOnce() throws Exception {
    web();
    rig.apply(ClusterDelta.builder().set(Node.named("n1")).set(Node.named("n2")));
    ExplainReply reply =
        ClientCalls.blockingUnaryCall(
            rig.channel(),
            Methods.EXPLAIN,
            CallOptions.DEFAULT,
            ExplainRequest.newBuilder().setTarget("default/web").setAllNodes(true).build());
    assertThat(reply.getNode()).isEmpty();
    assertThat(ExplanationMessages.explanations(reply))
        .extracting(Explanation::node)
        .containsExactly("n1", "n2");
    assertThat(rig.server.clients()).isEmpty();
  }

  private void refused(String node, String target, String client, String sentence) {
    assertThatThrownBy(() -> explain(node, target, client))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
              assertThat(e.getStatus().getDescription()).startsWith(sentence);
            });
  }

  @Test
  void whoExplainsIsNoClientOfTheNode() {
    web();
    explain("n1", "default/web", "");
    assertThat(rig.server.clients()).isEmpty();
  }
}
