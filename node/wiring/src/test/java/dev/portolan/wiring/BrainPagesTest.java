package dev.portolan.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.brain.Brain;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Node;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.Options;
import dev.portolan.telemetry.http.PageServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a brain says of itself over HTTP. */
final class BrainPagesTest {
  @TempDir private Path folder;

  @Test
  void itIsHealthyOnceItKnowsItsClusterAndCountsTheNodesThatNobodyServesToo() throws Exception {
    Brain brain = new Brain(warning -> {});
    WatchedSource source = new WatchedSource(sink -> {}, Instant::now);
    Address address = Address.parse("unix://" + folder.resolve("brain.sock"));
    Options options = Options.builder().listen(ListenAddress.plain(address)).build();
    try (BrainServer server = BrainServer.start(brain, options);
        PageServer pages = BrainPages.open("127.0.0.1:0", brain, server, source)) {
      assertThat(read(pages, "/healthz")).isEqualTo("503 the cluster is not known yet\n");
      assertThat(read(pages, "/metrics")).contains("portolan_brain_synced 0\n");

      brain.apply(ClusterImage.EMPTY.with(Node.named("worker-1")).with(Node.named("worker-2")));
      server.backend("worker-1", "nftables").applied(1);
      assertThat(read(pages, "/healthz")).isEqualTo("200 ok\n");
      assertThat(read(pages, "/metrics"))
          .contains(
              "portolan_brain_synced 1\n",
              "portolan_node_applied_revision{node=\"worker-1\"} 1\n",
              "portolan_node_clients{node=\"worker-2\"} 0\n")
          .doesNotContain("portolan_node_applied_revision{node=\"worker-2\"}");
    }
  }

  private static String read(PageServer pages, String page) throws Exception {
    URI address = URI.create("http://127.0.0.1:" + pages.port() + page);
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    }
  }
}
