package dev.portolan.status;

import static dev.portolan.status.Services.image;
import static dev.portolan.status.Services.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFeed;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeSnapshot;
import dev.portolan.telemetry.http.PortUnavailableException;
import dev.portolan.telemetry.http.Wire;
import dev.portolan.testbase.FreePort;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProxyStatusTest {
  private final Hand feed = new Hand();

  /** A feed that is set by hand. */
  private static final class Hand implements NodeFeed {
    private NodeImage image = NodeImage.unsynced("here");
    private final List<Runnable> listeners = new ArrayList<>();

    void set(NodeImage newest) {
      image = newest;
      listeners.forEach(Runnable::run);
    }

    @Override
    public String node() {
      return "here";
    }

    @Override
    public NodeSnapshot newest() {
      return NodeSnapshot.of(image);
    }

    @Override
    public void onChange(Runnable listener) {
      listeners.add(listener);
    }
  }

  @Test
  void everythingIsServedByOneOptionEach() throws IOException {
    int check = FreePort.next();
    ProxyStatus.Options options =
        ProxyStatus.Options.NOTHING
            .healthz("127.0.0.1:0")
            .metrics("127.0.0.1:0")
            .healthCheckNodePorts(true);
    try (ProxyStatus status = ProxyStatus.open(feed, options)) {
      int healthz = status.ports()[0];
      int metrics = status.ports()[1];
      assertThat(Wire.get(healthz, "/livez").status()).isEqualTo(200);
      assertThat(Wire.get(healthz, "/healthz").status()).as("not known yet").isEqualTo(503);

      NodeImage one = image(1, service("web", check, 2));
      feed.set(one);
      assertThat(Wire.get(metrics, "/metrics").body())
          .contains("kubeproxy_sync_proxy_rules_service_changes_pending 1\n");
      status.failed(new BackendException("no"), Duration.ZERO, Duration.ZERO);
      status.applied(NodeChange.to(one), Duration.ofMillis(3));
      assertThat(Wire.get(healthz, "/healthz").status()).isEqualTo(200);
      assertThat(Wire.get(check, "/").status()).isEqualTo(200);
      assertThat(Wire.get(check, "/").body()).contains("\"localEndpoints\": 2");
      assertThat(Wire.get(metrics, "/metrics").body())
          .contains(
              "portolan_sync_failures_total 1\n",
              "kubeproxy_sync_proxy_rules_service_changes_pending 0\n",
              "kubeproxy_sync_proxy_rules_duration_seconds_count{ip_family=\"IPv4\"} 1\n",
              "portolan_revision{state=\"applied\"} 1\n");

      NodeImage two = image(2, service("web", check, 0));
      feed.set(two);
      status.applied(NodeChange.between(one, two), Duration.ofMillis(3));
      assertThat(Wire.get(check, "/").status()).isEqualTo(503);
    }
  }

  @Test
  void nothingIsServedThatWasNotAskedFor() throws IOException {
    int check = FreePort.next();
    try (ProxyStatus status = ProxyStatus.open(feed, ProxyStatus.Options.NOTHING)) {
      NodeImage one = image(1, service("web", check, 2));
      feed.set(one);
      status.applied(NodeChange.to(one), Duration.ofMillis(3));
      assertThat(status.ports()).containsExactly(0, 0);
      assertThatThrownBy(() -> Wire.get(check, "/")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aTakenPortIsSaidWithItsFlag() throws IOException {
    try (ServerSocket taken = Wire.takenPort()) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      assertThatThrownBy(() -> ProxyStatus.open(feed, ProxyStatus.Options.NOTHING.healthz(address)))
          .isInstanceOf(PortUnavailableException.class)
          .hasMessageContaining("change --healthz-bind-address");
      assertThatThrownBy(() -> ProxyStatus.open(feed, ProxyStatus.Options.NOTHING.metrics(address)))
          .isInstanceOf(PortUnavailableException.class)
          .hasMessageContaining("change --metrics-bind-address");
    }
  }

  @Test
  void aHealthCheckPortThatIsTakenIsSaid() throws IOException {
    List<String> said = new ArrayList<>();
    try (ServerSocket taken = Wire.takenPort();
        ProxyStatus status =
            ProxyStatus.open(
                feed, ProxyStatus.Options.NOTHING.healthCheckNodePorts(true).log(said::add))) {
      NodeImage one = image(1, service("web", taken.getLocalPort(), 2));
      status.applied(NodeChange.to(one), Duration.ofMillis(3));
      assertThat(said)
          .singleElement()
          .asString()
          .startsWith("default/web: cannot open the health-check nodePort ")
          .endsWith("; retrying");
    }
  }
}
