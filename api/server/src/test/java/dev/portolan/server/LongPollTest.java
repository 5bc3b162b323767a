package dev.portolan.server;

import static dev.portolan.server.World.service;
import static dev.portolan.server.World.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.Methods;
import dev.portolan.api.localnetv1.EndpointConditions;
import dev.portolan.api.localnetv1.NextFilter;
import dev.portolan.api.localnetv1.NextItem;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.testbase.Await;
import io.grpc.CallOptions;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LongPollTest {
  private static final NextFilter FIRST = NextFilter.newBuilder().setNodeName("n1").build();

  private final ExecutorService pollers = Executors.newVirtualThreadPerTaskExecutor();
  private Rig rig;

  @BeforeEach
  void start() throws Exception {
    rig = Rig.onSocket();
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
    pollers.shutdownNow();
  }

  private List<NextItem> poll(NextFilter filter) {
    return poll(rig, filter);
  }

  private static List<NextItem> poll(Rig asked, NextFilter filter) {
    List<NextItem> items = new ArrayList<>();
    ClientCalls.blockingServerStreamingCall(
            asked.channel(), Methods.NEXT, CallOptions.DEFAULT, filter)
        .forEachRemaining(items::add);
    return items;
  }

  private static List<String> services(List<NextItem> items) {
    return items.stream().skip(1).map(item -> item.getEndpoints().getName()).toList();
  }

  @Test
  void aStateComesAsAWholeAndTheNextOnlyAfterAChange() throws Exception {
    Future<List<NextItem>> waiting = pollers.submit(() -> poll(FIRST));
    rig.apply(
        ClusterDelta.builder()
            .set(service("api", 1))
            .set(service("web", 2))
            .set(slice("web", "10.1.0.1")));
    List<NextItem> first = waiting.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    NextFilter next = first.getFirst().getNext();
    assertThat(next.getInstanceID()).isNotZero();
    assertThat(next.getRev()).as("the one after revision 1").isEqualTo(2);
    assertThat(next.getNodeName()).isEqualTo("n1");
    assertThat(first.getFirst().getFacts().getName()).isEqualTo("n1");
    assertThat(services(first)).containsExactly("api", "web");

    Future<List<NextItem>> second = pollers.submit(() -> poll(next));
    rig.apply(ClusterDelta.builder().set(service("api", 1)));
    rig.apply(ClusterDelta.builder().set(service("db", 3)));
    assertThat(services(second.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)))
        .containsExactly("api", "db", "web");
  }

  @Test
  void whoKnowsAnotherInstanceGetsEverythingAtOnce() {
    rig.apply(ClusterDelta.builder().set(service("api", 1)));
    NextFilter next = poll(FIRST).getFirst().getNext();
    NextFilter other = next.toBuilder().setInstanceID(next.getInstanceID() + 1).setRev(9).build();
    assertThat(services(poll(other))).containsExactly("api");
    assertThat(services(poll(next.toBuilder().setRev(1).build()))).containsExactly("api");
  }

  @Test
  void theInstanceIsThatOfTheServerWhateverNodeIsAskedFor() throws Exception {
    Limits limits = Limits.DEFAULT.withViews(1, Duration.ofHours(1));
    try (Rig small =
        new Rig(Options.builder().limits(limits).listen(ListenAddress.plain(Rig.freeSocket())))) {
      small.apply(ClusterDelta.builder().set(service("api", 1)));
      NextFilter one = poll(small, FIRST).getFirst().getNext();
      NextFilter other =
          poll(small, FIRST.toBuilder().setNodeName("n2").build()).getFirst().getNext();
      assertThat(other.getInstanceID()).isEqualTo(one.getInstanceID());

      // The view of n1 had to go for that of n2. Its states are numbered on.
      NextFilter again = poll(small, one).getFirst().getNext();
      assertThat(again.getInstanceID()).isEqualTo(one.getInstanceID());
      assertThat(again.getRev()).isGreaterThan(other.getRev());
    }
    rig.apply(ClusterDelta.builder().set(service("api", 1)));
    try (Rig restarted = Rig.onSocket()) {
      restarted.apply(ClusterDelta.builder().set(service("api", 1)));
      assertThat(poll(restarted, FIRST).getFirst().getNext().getInstanceID())
          .isNotEqualTo(poll(FIRST).getFirst().getNext().getInstanceID());
    }
  }

  @Test
  void onlyEndpointsWithAllConditionsAreThere() {
    rig.apply(ClusterDelta.builder().set(service("web", 2)).set(slice("web", "10.1.0.1")));
    NextFilter local =
        FIRST.toBuilder()
            .setRequiredEndpointConditions(EndpointConditions.newBuilder().setLocal(true))
            .build();
    assertThat(poll(local).getLast().getEndpoints().getEndpointsList()).hasSize(1);
    NextFilter elsewhere = local.toBuilder().setNodeName("n2").build();
    assertThat(poll(elsewhere).getLast().getEndpoints().getEndpointsList()).isEmpty();
  }
}
