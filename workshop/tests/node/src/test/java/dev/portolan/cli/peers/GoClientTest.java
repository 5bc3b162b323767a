package dev.portolan.cli.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.conformance.clusters.RandomCluster;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.Options;
import dev.portolan.server.access.Access;
import dev.portolan.tls.TlsFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client in Go, which knows what KPNG's know, on our server. */
@NeedsGoPrograms
@Timeout(120)
final class GoClientTest {
  private static final String NODE = "n1";
  private static final int ROUNDS = 40;
  private static final int CHANGES_A_ROUND = 8;

  private final Brain brain = new Brain(warning -> {});
  private final NodeView view = brain.open(NODE, NodeSettings.DEFAULT);
  private final TestCertificates certificates;
  private final Address socket;
  private BrainServer server;

  GoClientTest(@TempDir Path folder) {
    certificates = new TestCertificates(folder);
    socket = new Address.Unix(folder.resolve("api.sock"));
  }

  @BeforeEach
  void serve() throws Exception {
    serve(Access.DEFAULT);
  }

  private void serve(Access access) throws Exception {
    server =
        BrainServer.start(
            brain,
            Options.builder()
                .access(access)
                .listen(
                    ListenAddress.plain(socket),
                    ListenAddress.tls(
                        new Address.Tcp("127.0.0.1", 0), certificates.files("server", "authority")))
                .build());
  }

  @AfterEach
  void close() {
    server.close();
    view.close();
  }

  private String port() {
    return server.addresses().getLast().toString().substring("tcp://".length());
  }

  private GoClient onSocket(String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.addAll(List.of("-api", socket.toString(), "-node", NODE));
    return new GoClient(arguments);
  }

  private GoClient onPort(String node, TlsFiles files, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-api", port(), "-node", node));
    arguments.addAll(TestCertificates.flags(files));
    arguments.addAll(List.of(more));
    return new GoClient(arguments);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/localv1.Sets/Watch", "/localnetv1.Endpoints/Watch"})
  void holdsTheStatesOfItsNode(String method) throws Exception {
    try (GoClient client = onSocket("-method", method)) {
      assertFollowsNode(client);
    }
  }

  @Test
  void holdsTheStatesOfItsNodeBehindCertificates() throws Exception {
    try (GoClient client = onPort(NODE, certificates.files("client", "authority"))) {
      assertFollowsNode(client);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/globalv1.Sets/Watch", "/localnetv1.Global/Watch"})
  void holdsTheStatesOfTheCluster(String method) throws Exception {
    List<String> arguments = List.of("global", "-api", socket.toString(), "-method", method);
    try (GoClient client = new GoClient(arguments)) {
      assertFollows(client, () -> KpngLines.of(brain.cluster()));
      ItemOrder.checkGlobal(client.items());
    }
  }

  private void assertFollowsNode(GoClient client) throws Exception {
    assertFollows(client, () -> KpngLines.of(view.image()));
    ItemOrder.checkLocal(client.items());
    assertThat(client.states().toString())
        .as("there was something to see")
        .contains("\"local\":true", "\"local\":false", "\"internal\":true", "\"external\":false");
  }

  /** Changes the cluster; whatever the client prints meanwhile was true once, in that order. */
  private void assertFollows(GoClient client, Callable<List<String>> expected) throws Exception {
    List<List<String>> history = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < CHANGES_A_ROUND; i++) {
        brain.apply(RandomCluster.event(1 + (long) round * CHANGES_A_ROUND + i));
        history.add(expected.call());
      }
      client.await(expected.call());
    }
    List<List<String>> states = client.states();
    assertThat(states.size()).as("states that were printed").isGreaterThan(ROUNDS / 2);
    int at = 0;
    for (List<String> state : states) {
      while (at < history.size() && !history.get(at).equals(state)) {
        at++;
      }
      assertThat(at)
          .as("a state that never was, or not then: %s", state)
          .isLessThan(history.size());
    }
  }

  @Test
  void anEmptyClusterIsAStateToo() throws Exception {
    brain.apply(ClusterDelta.EMPTY);
    try (GoClient client = onSocket("-once")) {
      assertThat(client.end()).as(client::errors).isZero();
      assertThat(client.states()).containsExactly(List.of());
      assertThat(client.items()).containsExactly("Reset", "Sync");
    }
  }

  @Test
  void followsAServerThatComesBack() throws Exception {
    brain.apply(RandomCluster.event(1));
    try (GoClient client = onSocket()) {
      client.await(KpngLines.of(view.image()));
      server.close();
      for (int seed = 2; seed < 40; seed++) {
        brain.apply(RandomCluster.event(seed));
      }
      serve(Access.DEFAULT);
      client.await(KpngLines.of(view.image()));
      assertThat(client.errors()).contains("the brain is stopping");
    }
  }

  @Test
  void aCertificateIsForItsOwnNode() throws Exception {
    brain.apply(ClusterDelta.EMPTY);
    server.close();
    serve(Access.DEFAULT.withCertificateNodes(Set.of()));
    TlsFiles own = certificates.files("node", "authority");
    try (GoClient client = onPort(NODE, own, "-once")) {
      assertThat(client.end()).as(client::errors).isZero();
    }
    try (GoClient client = onPort("n2", own, "-once")) {
      assertThat(client.end()).isEqualTo(1);
      assertThat(client.errors()).contains("PermissionDenied");
    }
  }

  @Test
  void strangersAreNotLetIn() throws Exception {
    brain.apply(ClusterDelta.EMPTY);
    try (GoClient client = onPort(NODE, certificates.files("stranger", "authority"), "-once")) {
      assertThat(client.end()).isEqualTo(1);
      assertThat(client.states()).isEmpty();
    }
    try (GoClient client = onPort(NODE, certificates.files("client", "stranger"), "-once")) {
      assertThat(client.end()).isEqualTo(1);
      assertThat(client.errors()).contains("certificate");
    }
  }
}
