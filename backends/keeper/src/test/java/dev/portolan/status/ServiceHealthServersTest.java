package dev.portolan.status;

import static dev.portolan.status.Services.image;
import static dev.portolan.status.Services.on;
import static dev.portolan.status.Services.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.telemetry.http.Wire;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.FreePort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServiceHealthServersTest {
  private final Told told = new Told();
  private boolean healthy = true;
  private List<Ip> host = List.of(Ip.of("127.0.0.1"));

  @AutoClose
  private final ServiceHealthServers servers =
      new ServiceHealthServers(() -> healthy, this::readHost, told, Duration.ofMillis(5));

  private final AtomicInteger readings = new AtomicInteger();

  private NodeImage applied = NodeImage.unsynced("here");

  private List<Ip> readHost() {
    readings.incrementAndGet();
    return host;
  }

  private void update(NodeImage image) {
    servers.update(NodeChange.between(applied, image));
    applied = image;
  }

  @ParameterizedTest
  @CsvSource({"3, true, 200", "0, true, 503", "3, false, 503", "0, false, 503"})
  void theAnswerIsThatOfKubeProxy(int endpoints, boolean proxyHealthy, int status)
      throws IOException {
    int port = FreePort.next();
    healthy = proxyHealthy;
    update(image(1, service("web", port, endpoints)));

    Wire.Answer answer = Wire.get(port, "/whatever?x");
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("content-type")).isEqualTo("application/json");
    assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
    assertThat(answer.header("x-load-balancing-endpoint-weight")).isEqualTo("" + endpoints);
    assertThat(answer.body())
        .isEqualTo(
            "{\n"
                + "\t\"service\": {\n"
                + "\t\t\"namespace\": \"default\",\n"
                + "\t\t\"name\": \"web\"\n"
                + "\t},\n"
                + "\t\"localEndpoints\": "
                + endpoints
                + ",\n"
                + "\t\"serviceProxyHealthy\": "
                + proxyHealthy
                + "\n"
                + "}");
  }

  @Test
  void whatStaysIsNotOpenedAgain() throws IOException {
    int one = FreePort.next();
    update(image(1, service("one", one, 1), service("none", 0, 0)));
    try (Wire wire = new Wire(one)) {
      wire.send("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
      assertThat(wire.answer(true).status()).isEqualTo(200);
      int two = FreePort.next();
      update(image(2, service("one", one, 0), service("two", two, 5)));
      wire.send("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
      assertThat(wire.answer(true).status()).as("same connection, new count").isEqualTo(503);
      assertThat(Wire.get(two, "/").header("x-load-balancing-endpoint-weight")).isEqualTo("5");
      update(image(3, service("two", two, 5)));
      assertThat(wire.isClosedByServer()).isTrue();
    }
    assertRefused(one);
  }

  @Test
  void portsMayBeSwapped() throws IOException {
    int one = FreePort.next();
    int two = FreePort.next();
    update(image(1, service("a", one, 1), service("b", two, 2)));
    update(image(2, service("a", two, 1), service("b", one, 2)));

    assertThat(Wire.get(two, "/").body()).contains("\"name\": \"a\"");
    assertThat(Wire.get(one, "/").body()).contains("\"name\": \"b\"");
    update(image(3, service("a", 0, 1), service("b", one, 2)));
    assertRefused(two);
    assertThat(told.events).isEmpty();
  }

  @Test
  void aTakenPortIsToldOnceAndOpenedWhenItIsFree() throws IOException, InterruptedException {
    int port;
    try (ServerSocket taken = Wire.takenPort()) {
      port = taken.getLocalPort();
      update(image(1, service("web", port, 1)));
      update(image(2, service("web", port, 2)));
      assertThat(told.events)
          .containsExactly(
              "default/web " + port + " 127.0.0.1:" + port + ": Address already in use");
    }
    Await.until("the port opens", () -> told.events.size() > 1);
    assertThat(told.events.getLast()).isEqualTo("default/web " + port + " open");
    assertThat(Wire.get(port, "/").header("x-load-balancing-endpoint-weight")).isEqualTo("2");
  }

  @Test
  void twoServicesWithOnePortDoNotHurtEachOther() throws IOException, InterruptedException {
    int port = FreePort.next();
    update(image(1, service("a", port, 1)));
    update(image(2, service("a", port, 1), service("b", port, 2)));
    assertThat(told.events).hasSize(1).first().asString().startsWith("default/b ");
    assertThat(Wire.get(port, "/").body()).contains("\"name\": \"a\"");
    update(image(3, service("b", port, 2)));
    assertThat(told.events).last().isEqualTo("default/b " + port + " open");
    assertThat(Wire.get(port, "/").body()).contains("\"name\": \"b\"");
  }

  @Test
  void anAddressThatComesLaterIsUsedThen() throws IOException, InterruptedException {
    int port = FreePort.next();
    host = List.of();
    update(image(1, service("web", port, 1)));
    assertThat(told.events)
        .containsExactly(
            "default/web " + port + " this host has no address on which nodePorts are served");
    host = List.of(Ip.of("127.0.0.1"));
    Await.until("the port opens", () -> told.events.size() > 1);
    assertThat(Wire.get(port, "/").status()).isEqualTo(200);
  }

  @Test
  void otherNodePortAddressesMoveThePorts() throws IOException {
    int port = FreePort.next();
    update(image(1, service("web", port, 1)));
    host = List.of(Ip.of("127.0.0.1"), Ip.of("127.0.0.2"));
    update(
        image(
            2,
            Services.facts(Set.of(IpFamily.IPV4), on("127.0.0.2/32"), on()),
            service("web", port, 1)));
    assertRefused(port);
    update(image(3, service("web", port, 1)));
    assertThat(Wire.get(port, "/").status()).isEqualTo(200);
    assertThat(told.events).isEmpty();
  }

  @Test
  void closingFreesThePorts() throws IOException {
    int port = FreePort.next();
    update(image(1, service("web", port, 1)));
    servers.close();
    assertRefused(port);
    update(image(2, service("web", port, 2)));
    assertRefused(port);
  }

  @Test
  void theHostIsReadOncePerChangeOfChecks() throws IOException {
    NodeService one = service("one", FreePort.next(), 1);
    NodeService two = service("two", FreePort.next(), 1);
    update(image(1, one, two, service("none", 0, 0)));
    assertThat(readings).hasValue(1);
    update(image(2, one, two, service("none", 0, 1)));
    update(image(3, one, two));
    assertThat(readings).as("no check changed").hasValue(1);
    update(image(4, service("one", one.healthCheckNodePort(), 0), two));
    assertThat(readings).as("no port changed").hasValue(1);
    assertThat(Wire.get(one.healthCheckNodePort(), "/").status()).isEqualTo(503);
    assertThat(Wire.get(two.healthCheckNodePort(), "/").status()).isEqualTo(200);
  }

  @Test
  void manyPortsAreOpenedAndClosedTogether() throws IOException {
    Map<String, Integer> ports = new LinkedHashMap<>();
    for (int i = 0; i < 50; i++) {
      ports.put("web-" + i, FreePort.next());
    }
    NodeService[] services =
        ports.entrySet().stream()
            .map(entry -> service(entry.getKey(), entry.getValue(), 1))
            .toArray(NodeService[]::new);
    update(image(1, services));
    assertThat(told.events).isEmpty();
    for (Map.Entry<String, Integer> entry : ports.entrySet()) {
      assertThat(Wire.get(entry.getValue(), "/").body()).contains('"' + entry.getKey() + '"');
    }

    update(image(2));
    update(image(3, services));
    assertThat(told.events).isEmpty();
    servers.close();
    ports.values().forEach(ServiceHealthServersTest::assertRefused);
  }

  private static void assertRefused(int port) {
    assertThatThrownBy(() -> Wire.get(port, "/")).isInstanceOf(ConnectException.class);
  }

  /** The listener's calls. */
  private static final class Told implements ServiceHealthServers.Listener {
    private final List<String> events = new CopyOnWriteArrayList<>();

    @Override
    public void notOpened(NamespacedName service, int port, String cause) {
      events.add(service + " " + port + " " + cause);
    }

    @Override
    public void opened(NamespacedName service, int port) {
      events.add(service + " " + port + " open");
    }
  }
}
