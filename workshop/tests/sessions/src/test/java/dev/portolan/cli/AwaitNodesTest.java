package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.LocalBackend;
import dev.portolan.server.Options;
import dev.portolan.server.access.Access;
import dev.portolan.sessions.Background;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.source.file.Manifests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code portolan wait}, against a brain whose nodes apply what the test says. */
final class AwaitNodesTest {
  private static final NamespacedName CART = new NamespacedName("shop", "cart-x4t8n");
  private static final String ENDPOINT = "10.244.1.21:9090";
  private static final int LONGEST_SECONDS = 64;

  @TempDir private Path folder;
  private final Brain brain = new Brain(warning -> {});
  private ClusterImage shop;
  private String api;
  @AutoClose private BrainServer server;
  private LocalBackend first;
  private LocalBackend second;
  private LocalBackend third;

  @BeforeEach
  void start() throws Exception {
    shop = Manifests.read(Shell.SHOP).image();
    brain.apply(ClusterDelta.between(ClusterImage.EMPTY, shop));
    Address address = Address.parse("unix://" + folder.resolve("brain.sock"));
    api = "--api=" + address;
    server =
        BrainServer.start(brain, Options.builder().listen(ListenAddress.plain(address)).build());
    first = server.backend("worker-1", "nftables");
    second = server.backend("worker-2", "nftables");
    third = server.backend("worker-3", "nftables");
  }

  private void applied(long revision) {
    List.of(first, second, third).forEach(backend -> backend.applied(revision));
  }

  /** Runs a wait that times out, after the time that this machine needs for an answer at all. */
  private static Result inVain(String... args) {
    Result result = new Result(-1, "", "");
    for (int seconds = 1; seconds <= LONGEST_SECONDS; seconds *= 2) {
      result =
          Shell.run(
              Stream.concat(Stream.of("wait", "--timeout=" + seconds + "s"), Stream.of(args))
                  .toArray(String[]::new));
      if (!result.err().contains("does not answer")) {
        return new Result(
            result.status(), result.out(), result.err().replaceFirst("after \\S+:", "after 1s:"));
      }
    }
    return result;
  }

  /** Takes the first endpoint out of shop/cart, or puts it back. */
  private void withEndpoint(boolean in) {
    EndpointSlice slice = shop.slices().get(CART);
    List<EndpointSlice.Member> members = slice.members();
    brain.apply(
        ClusterDelta.builder()
            .set(slice.with(in ? members : members.subList(1, members.size())))
            .build());
  }

  @Test
  void itWaitsForTheDecisionAndThenForEveryNode() throws Exception {
    applied(1);
    try (Background wait = new Background("wait", api, "--without", ENDPOINT)) {
      wait.await(wait.err, "waiting: 0 of 3 nodes have no rule to " + ENDPOINT);
      withEndpoint(false);
      first.applied(2);
      third.applied(2);
      second.failed("no room");
      Result behind = inVain(api, "--without", ENDPOINT);
      assertThat(behind.status()).isEqualTo(1);
      assertThat(behind.out()).isEmpty();
      assertThat(behind.err())
          .endsWith(
              """
              portolan: timed out after 1s: 2 of 3 nodes have no rule to %s
                worker-2  has applied revision 1 of 2: no room
              """
                  .formatted(ENDPOINT));
      second.applied(2);
      wait.await(wait.out, "nodes");
      assertThat(wait.out.toString())
          .matches(
              "3 of 3 nodes have no rule to "
                  + ENDPOINT.replace(".", "\\.")
                  + " \\(revision 2; slowest worker-2, [\\d.]+ m?s\\)\n");
    }
    assertThat(Shell.run("wait", api, "--without", ENDPOINT).status()).isZero();
  }

  @Test
  void aNodeIsNotThereWhileItMayStillApplyAStateThatHasTheEndpoint() {
    applied(1);
    withEndpoint(false);
    applied(2);
    withEndpoint(true);
    withEndpoint(false);
    Result between = inVain(api, "--without", ENDPOINT);
    assertThat(between.status()).isEqualTo(1);
    assertThat(between.err()).contains("  worker-1  has applied revision 2 of 4\n");
    applied(4);
    assertThat(Shell.run("wait", api, "--without", ENDPOINT).status()).isZero();
  }

  @Test
  void whatStillUsesTheEndpointIsNamed() {
    applied(1);
    assertThat(inVain(api, "--without", ENDPOINT).err())
        .endsWith(
            """
            portolan: timed out after 1s: 0 of 3 nodes have no rule to %1$s
              worker-1  shop/cart:grpc uses %1$s
              worker-2  shop/cart:grpc uses %1$s
              worker-3  shop/cart:grpc uses %1$s
            """
                .formatted(ENDPOINT));
  }

  @Test
  void nodesWithoutABackendCountUnlessTheyArePassedOver() {
    withEndpoint(false);
    first.applied(2);
    second.applied(2);
    Result missing = inVain(api, "--without", ENDPOINT);
    assertThat(missing.status()).isEqualTo(1);
    assertThat(missing.err())
        .endsWith(
            """
            portolan: timed out after 1s: 2 of 3 nodes have no rule to %s
              worker-3: no backend that reports is connected
              (--ignore-missing passes over such nodes, --nodes names those that count)
            """
                .formatted(ENDPOINT));
    Result two = Shell.run("wait", api, "--without", ENDPOINT, "--nodes=worker-1,worker-2");
    assertThat(two.status()).isZero();
    assertThat(two.out()).startsWith("2 of 2 nodes have no rule to ");
    Result rest = Shell.run("wait", api, "--without", ENDPOINT, "--ignore-missing");
    assertThat(rest.status()).isZero();
    assertThat(rest.out())
        .startsWith("2 of 3 nodes have no rule to ")
        .endsWith("; ignored: worker-3 has no backend here)\n");
  }

  @Test
  void aServiceHasSoManyEndpointsAndARevisionIsApplied() {
    applied(1);
    Result two = Shell.run("wait", api, "--service=shop/cart", "--endpoints=2");
    assertThat(two.out()).isEqualTo("3 of 3 nodes have 2 endpoints for shop/cart (revision 1)\n");
    assertThat(Shell.run("wait", api, "--service=shop/cart:grpc", "--endpoints=1+").status())
        .isZero();
    assertThat(inVain(api, "--service=shop/cart", "--endpoints=3").err())
        .contains("  worker-1  shop/cart:grpc has 2 endpoints\n");
    assertThat(inVain(api, "--revision=2").err())
        .contains("  worker-1  the newest revision is 1\n");
    withEndpoint(false);
    applied(2);
    assertThat(Shell.run("wait", api, "--revision=newest").out())
        .startsWith("3 of 3 nodes have applied the newest revision (revision 2; slowest worker-");
  }

  @Test
  void programsGetTheSame() {
    applied(1);
    third.failed("no room");
    withEndpoint(false);
    first.applied(2);
    second.applied(2);
    Result result = inVain(api, "--without", ENDPOINT, "-o", "json");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.tree())
        .containsEntry("kind", "NodesAwaited")
        .containsEntry("done", false)
        .containsEntry("nodes", 3)
        .containsEntry("nodesDone", 2)
        .containsEntry("missing", List.of());
    assertThat(Shell.list(result.tree().get("behind")))
        .containsExactly(
            Map.of(
                "node", "worker-3",
                "revision", 2,
                "applied", 1,
                "undecided", "",
                "error", "no room"));
  }

  @Test
  void aBrainThatIsAwayIsWaitedFor() throws Exception {
    applied(1);
    server.close();
    Result away = inVain(api, "--revision=1");
    assertThat(away.status()).isEqualTo(1);
    assertThat(away.err()).contains("; retrying\n").contains("portolan: timed out after 1s: ");
    try (Background wait = new Background("wait", api, "--revision=1")) {
      wait.await(wait.err, "; retrying\n");
      start();
      applied(1);
      wait.await(wait.out, "3 of 3 nodes have applied revision 1 (revision 1");
    }
  }

  @Test
  void everyBrainBehindANameIsAsked() throws Exception {
    Path hosts = Files.writeString(folder.resolve("hosts"), "127.0.0.2 brains\n127.0.0.3 brains\n");
    try (BrainServer one = loopback("127.0.0.2", 0)) {
      int port = ((Address.Tcp) one.addresses().getFirst()).port();
      one.backend("worker-1", "a").applied(1);
      List<String> wait = List.of("wait", "--api=tcp://brains:" + port, "--revision=1");
      List<String> nodes = List.of("nodes", "--api=tcp://brains:" + port);
      try (BrainServer other = loopback("127.0.0.3", port)) {
        other.backend("worker-2", "b").applied(1);
        other.backend("worker-3", "c").applied(1);
        assertThat(process(hosts, wait)).contains("3 of 3 nodes have applied revision 1 ");
        assertThat(process(hosts, nodes))
            .contains("worker-1  a ", "worker-2  b ", "worker-3  c ")
            .doesNotContain("no client");
      }
      assertThat(process(hosts, nodes))
          .contains("tcp://127.0.0.3:" + port, "its clients are not listed")
          .containsPattern("worker-1 +a .* ok")
          .containsPattern("worker-2 .* no client");
      assertThat(
              process(hosts, Stream.concat(wait.stream(), Stream.of("--nodes=worker-1")).toList()))
          .as("one that is away does not hide the other")
          .contains("1 of 1 node has applied revision 1 ");
    }
  }

  /** Runs a command in a process that knows the names in {@code hosts}; returns what it prints. */
  private static String process(Path hosts, List<String> args) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djdk.net.hosts.file=" + hosts,
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName()));
    words.addAll(args);
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private BrainServer loopback(String host, int port) throws Exception {
    return BrainServer.start(
        brain,
        Options.builder()
            .listen(ListenAddress.plain(new Address.Tcp(host, port)))
            .access(new Access(Set.of(), Set.of(), false, false, Set.of(), true))
            .build());
  }

  @Test
  void aDaemonIsAskedAboutItsOwnNode() throws Exception {
    Address socket = Address.parse("unix://" + folder.resolve("node.sock"));
    try (BrainServer daemon =
        BrainServer.start(
            brain,
            Options.builder()
                .only(brain.open("worker-1", NodeSettings.DEFAULT))
                .listen(ListenAddress.plain(socket))
                .build())) {
      String own = "--api=" + socket;
      LocalBackend backend = daemon.backend("worker-1", "nftables");
      assertThat(inVain(own, "--service=shop/cart", "--endpoints=2").status()).isEqualTo(1);
      backend.applied(1);
      assertThat(Shell.run("wait", own, "--service=shop/cart", "--endpoints=2").out())
          .isEqualTo("1 of 1 node has 2 endpoints for shop/cart (revision 1)\n");
      Result other = Shell.run("wait", own, "--revision=1", "--nodes=worker-2");
      assertThat(other.status()).isEqualTo(2);
      assertThat(other.err()).contains("answers for the node worker-1 only");
    }
  }
}
