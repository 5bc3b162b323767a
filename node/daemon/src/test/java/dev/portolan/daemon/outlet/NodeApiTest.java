package dev.portolan.daemon.outlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.api.transport.Address;
import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.api.v1.NodeStatus;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.client.Connection;
import dev.portolan.client.ConnectionException;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.telemetry.log.LogSettings;
import dev.portolan.telemetry.log.Logs;
import dev.portolan.telemetry.log.Streams;
import dev.portolan.testbase.Await;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the daemon serves with {@code --api-listen}. */
final class NodeApiTest {
  private static final Duration LONGEST = Duration.ofSeconds(30);

  @TempDir private Path folder;

  private final Brain brain = new Brain(warning -> {});
  private final NodeView view = brain.open("worker-1", NodeSettings.DEFAULT);
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final Logs logs =
      Logs.open(
          new LogSettings(false, 0, List.of(), false, "0", Duration.ofSeconds(5)),
          new Streams(said, said));
  private Path socket;
  private NodeApi api;

  @BeforeEach
  void prepare() {
    socket = folder.resolve("run/node.sock");
    api =
        new NodeApi(
            new NodeApi.Offer(
                socket, () -> "nftables", "https://server:6443", "1.2.3", true, Optional.empty()),
            logs.of("api"));
    brain.apply(
        ClusterDelta.builder()
            .set(
                Service.named("shop", "web")
                    .clusterIps(List.of("10.96.0.20"))
                    .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
                    .build())
            .build());
  }

  @AfterEach
  void end() {
    api.close();
    logs.close();
  }

  private Connection connect() throws Exception {
    Await.text("Serving the API", this::log);
    return Connection.open(new Address.Unix(socket), Optional.empty());
  }

  private String log() {
    return said.toString(StandardCharsets.UTF_8);
  }

  private static ExplainRequest question(String node) {
    return ExplainRequest.newBuilder().setNode(node).setTarget("shop/web").build();
  }

  private void applied(NodeImage image) {
    NodeImage before = NodeImage.unsynced("worker-1");
    api.applied(NodeChange.between(before, image), Duration.ZERO);
  }

  @Test
  void theDaemonExplainsItsOwnNodeAndNoOther() throws Exception {
    api.open(brain, view);
    try (Connection connection = connect()) {
      ExplainReply reply = connection.explain(question(""), LONGEST).orElseThrow();
      assertThat(reply.getNode()).isEqualTo("worker-1");
      assertThat(reply.getRevision()).isEqualTo(view.image().revision());
      assertThat(reply.getExplanations(0).getSubject()).isEqualTo("10.96.0.20:80/TCP");
      assertThat(reply.getProxyMode()).as("the daemon's own mode").isEqualTo("nftables");
      assertThatThrownBy(() ->
              connection.explain(
                  question("").toBuilder().setProxyMode("iptables").build(), LONGEST))
          .hasMessage("the mode 'iptables' is not known here; ask about nftables");
      assertThatThrownBy(() -> connection.explain(question("worker-2"), LONGEST))
          .isInstanceOf(ConnectionException.class)
          .hasMessage(
              "unix://"
                  + socket
                  + ": this server answers for the node worker-1 only; ask the one on worker-2, or"
                  + " a 'portolan brain'");
    }
  }

  @Test
  void theOwnBackendIsListedWithWhatItDidBeforeTheSocketWasThere() throws Exception {
    applied(view.image());
    api.open(brain, view);
    try (Connection connection = connect()) {
      NodeStatus status = connection.nodes().getNodes(0);
      assertThat(status.getNode()).isEqualTo("worker-1");
      assertThat(status.getClient()).isEqualTo("nftables");
      assertThat(status.getApplied()).isEqualTo(1);
      assertThat(status.getError()).isEmpty();

      api.failed(new BackendException("no room"), Duration.ZERO, Duration.ZERO);
      assertThat(connection.nodes().getNodes(0).getError()).isEqualTo("no room");
      applied(view.image());
      assertThat(connection.nodes().getNodes(0).getError()).isEmpty();
    }
  }

  @Test
  void theSocketIsForRootAloneAndGoesWithTheDaemon() throws Exception {
    api.open(brain, view);
    connect().close();
    assertThat(Files.getPosixFilePermissions(socket))
        .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    api.close();
    assertThat(socket).doesNotExist();
  }

  @Test
  void aSocketThatCannotBeOpenedIsSaidAndDisturbsNothing() throws Exception {
    Files.writeString(folder.resolve("run"), "a file");
    api.open(brain, view);
    Await.text("The API is not served yet", this::log);
    Await.text("is not a folder", this::log);
    applied(view.image());
    api.close();
  }
}
