package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.api.v1.ExplainReply;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.api.v1.NodeStatus;
import dev.portolan.client.Connection;
import dev.portolan.testbase.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The running daemon can be asked what it decided, and why. */
@NeedsPeers
final class ApiListenTest extends DaemonOnNode {
  @TempDir private Path folder;

  @BeforeAll
  static void fill() {
    writer.apply(new RandomServices(3).create(0, 20));
  }

  @Test
  void theDaemonExplainsWhatItHasApplied() throws Exception {
    Path socket = folder.resolve("node.sock");
    try (Daemon daemon = host.start("--api-listen=unix://" + socket)) {
      daemon.awaitSync().awaitLog("Serving the API", 1);
      try (Connection connection = Connection.open(new Address.Unix(socket), Optional.empty())) {
        ExplainReply reply =
            connection
                .explain(
                    ExplainRequest.newBuilder().setTarget("default/kubernetes").build(),
                    Duration.ofSeconds(30))
                .orElseThrow();
        assertThat(reply.getNode()).isEqualTo("node-0");
        assertThat(reply.getNodeKnown()).isTrue();
        assertThat(reply.getExplanations(0).getService().getName()).isEqualTo("kubernetes");

        Await.until(daemon::log, () -> own(connection).getApplied() == reply.getRevision());
        assertThat(own(connection).getNode()).isEqualTo("node-0");
        assertThat(own(connection).getClient()).isEqualTo("nftables");
      }
      assertThat(daemon.stop()).as(daemon::log).isZero();
      assertThat(socket).doesNotExist();
    }
  }

  private static NodeStatus own(Connection connection) {
    try {
      return connection.nodes().getNodes(0);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void withoutTheFlagNothingOfGrpcIsLoaded() throws Exception {
    try (Daemon daemon = host.start()) {
      daemon.awaitSync();
      assertThat(daemon.loadedClasses())
          .contains("dev.portolan.daemon.Session")
          .doesNotContain("io.grpc", "io.netty", "com.google.protobuf", "dev.portolan.server");
    }
  }
}
