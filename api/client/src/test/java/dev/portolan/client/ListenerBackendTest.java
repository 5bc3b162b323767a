package dev.portolan.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Traffic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ListenerBackendTest {
  private final World world = new World();
  private final List<String> calls = new ArrayList<>();
  private NodeImage applied = NodeImage.unsynced(World.NODE);
  private String forbidden = "none";
  private final ListenerBackend backend = new ListenerBackend(new Recording());

  @Test
  void theFirstStateIsAllNew() {
    world.service("cart", "10.96.0.1", "10.244.0.2", "10.244.0.3").service("till", "10.96.0.2");
    assertCalls(
        "node here",
        "set shop/cart forward",
        "set shop/cart:http 10.244.0.2:8080 [INTERNAL]",
        "set shop/cart:http 10.244.0.3:8080 [INTERNAL]",
        "set shop/till reject",
        "sync");
  }

  @Test
  void theClientIsNamedAfterItsListener() {
    assertThat(Portolan.name(new ListenerBackend(new Recording())))
        .isEqualTo("ListenerBackendTest.Recording");
  }

  @Test
  void onlyDifferencesFollow() {
    world.service("cart", "10.96.0.1", "10.244.0.2", "10.244.0.3");
    sync();
    world.endpoints("cart", "10.244.0.3", "10.244.0.4");
    assertCalls(
        "delete shop/cart:http 10.244.0.2:8080",
        "set shop/cart:http 10.244.0.4:8080 [INTERNAL]",
        "sync");
    world.endpoints("cart");
    assertCalls(
        "delete shop/cart:http 10.244.0.4:8080",
        "delete shop/cart:http 10.244.0.3:8080",
        "set shop/cart reject",
        "sync");
    world.service("cart", "10.96.0.9");
    assertCalls("set shop/cart reject", "sync");
  }

  @Test
  void whatIsGoneComesFirstEndpointsBeforeTheirService() {
    world.service("cart", "10.96.0.1", "10.244.0.2").service("old", "10.96.0.2", "10.244.0.3");
    sync();
    world.remove("old").service("new", "10.96.0.2", "10.244.0.3");
    assertCalls(
        "delete shop/old:http 10.244.0.3:8080",
        "delete shop/old",
        "set shop/new forward",
        "set shop/new:http 10.244.0.3:8080 [INTERNAL]",
        "sync");
  }

  @Test
  void aFullSyncTellsNothingTwice() {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    sync();
    assertCalls();
    world.apply(ClusterDelta.builder().set(World.node("10.0.0.9")).build());
    assertCalls("node here", "sync");
  }

  @Test
  void afterAFailureTheChangesAreToldOnceMore() {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    forbidden = "set shop/cart:http";
    assertThatThrownBy(this::sync).hasMessage("no room");
    forbidden = "none";
    calls.clear();
    assertCalls(
        "node here",
        "set shop/cart forward",
        "set shop/cart:http 10.244.0.2:8080 [INTERNAL]",
        "sync");
  }

  private void sync() {
    NodeImage image = world.image();
    backend.sync(NodeChange.between(applied, image).inFull());
    applied = image;
  }

  private void assertCalls(String... expected) {
    calls.clear();
    sync();
    assertThat(calls).containsExactly(expected);
  }

  private final class Recording implements ServiceListener {
    private void call(String call) {
      if (call.startsWith(forbidden)) {
        throw new BackendException("no room");
      }
      calls.add(call);
    }

    @Override
    public void setNode(NodeFacts facts) {
      call("node " + facts.name());
    }

    @Override
    public void setService(NodeService service) {
      call("set " + service.name() + " " + service.ports().getFirst().verdict(Traffic.INTERNAL));
    }

    @Override
    public void deleteService(NamespacedName name) {
      call("delete " + name);
    }

    @Override
    public void setEndpoint(ServicePortName port, ChosenEndpoint endpoint) {
      call("set " + port + " " + endpoint + " " + endpoint.traffic());
    }

    @Override
    public void deleteEndpoint(ServicePortName port, ChosenEndpoint endpoint) {
      call("delete " + port + " " + endpoint);
    }

    @Override
    public void sync() {
      call("sync");
    }
  }
}
