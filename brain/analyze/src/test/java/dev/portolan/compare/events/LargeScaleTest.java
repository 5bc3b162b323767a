package dev.portolan.compare.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Enough pods that looking at all of them for each of them would not end within the timeout;
 * looking at each once takes a small part of it.
 */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class LargeScaleTest {
  private static final int PODS = 200_000;
  private static final int NODES = 100;
  private static final NamespacedName WEB = new NamespacedName("shop", "web");

  private static ClusterImage cluster(int pods) {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    delta.set(Service.named("shop", "web").build());
    for (int i = 0; i < NODES; i++) {
      delta.set(Node.named("n" + i));
    }
    List<EndpointSlice.Member> members = new ArrayList<>();
    for (int i = 0; i < pods; i++) {
      members.add(
          new EndpointSlice.Member(
              List.of(Ip.v4(0x0a000000 + i).toString()),
              Conditions.READY,
              "n" + i % NODES,
              "",
              List.of(),
              List.of(),
              "Pod shop/web-" + i));
    }
    delta.set(
        new EndpointSlice(
            new NamespacedName("shop", "web-1"),
            "web",
            EndpointSlice.AddressType.IPV4,
            List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
            members,
            false,
            null));
    return delta.build().applyTo(ClusterImage.EMPTY);
  }

  private static int scaled(int before, String event) {
    return ImaginedCluster.after(cluster(before), List.of(EventParser.parse("scale", event)))
        .cluster()
        .slicesOf(WEB)
        .getFirst()
        .members()
        .size();
  }

  @Test
  void shrinks() {
    assertThat(scaled(PODS, "shop/web=10")).isEqualTo(10);
  }

  @Test
  void grows() {
    assertThat(scaled(10, "shop/web=" + PODS)).isEqualTo(PODS);
  }
}
