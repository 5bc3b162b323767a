package dev.portolan.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.cli.daemon.NeedsPeers;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Verdict;
import dev.portolan.explain.Client;
import dev.portolan.explain.Explainer;
import dev.portolan.explain.Target;
import dev.portolan.lab.Actor;
import dev.portolan.lab.ClientFlow;
import dev.portolan.lab.Probe;
import dev.portolan.lab.Reply;
import dev.portolan.packets.Endpoints;
import dev.portolan.packets.Outcome;
import dev.portolan.packets.PacketTable;
import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.RepositoryRoot;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.KubeProxyNode;
import dev.portolan.testkit.peers.SharedControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same random clusters for the real kube-proxy and for us, each on the node of a lab of its
 * own: packets to every address must meet the same fate. What differs by design is named here, one
 * test each, as docs/differences.md has it. {@code -Dportolan.differential.clusters} says how many
 * clusters, {@code -Dportolan.differential.seed} which.
 */
@AtNight
@NeedsPeers
class DifferentialTest {
  private static final int CLUSTERS = Integer.getInteger("portolan.differential.clusters", 4);
  private static final long SEED = Long.getLong("portolan.differential.seed", 1);
  private static final int SERVICES = 10;
  private static final int AT_ONCE = 32;
  private static final Path DOCUMENT = RepositoryRoot.resolve("docs/differences.md");

  @TempDir static Path folder;
  private static ControlPlane plane;
  private static ApiWriter api;
  private static Markers markers;
  private static ConnectedLab theirs;
  private static ConnectedLab ours;
  private static NodeProcess kubeProxy;
  private static NodeProcess portolan;

  private final Queue<Comparison.Seen> differences = new ConcurrentLinkedQueue<>();
  private final Set<String> fates = ConcurrentHashMap.newKeySet();
  private final AtomicInteger comparisons = new AtomicInteger();

  @BeforeAll
  static void start() throws IOException {
    plane = SharedControlPlane.empty();
    api = new ApiWriter(plane);
    markers = new Markers(api);
    ClusterDelta.Builder nodes = ClusterDelta.builder();
    PacketTable.cluster().nodes().forEach((name, node) -> nodes.set(node));
    api.apply(nodes.build());
    theirs = new ConnectedLab(plane);
    ours = new ConnectedLab(plane);
    kubeProxy = theirs.kubeProxy(folder, folder, "nftables");
    portolan = ours.portolan(folder);
  }

  @AfterAll
  static void end() throws Exception {
    Closing.all(kubeProxy, portolan, theirs, ours);
  }

  @Test
  void packetsMeetTheSameFateAsWithKubeProxy() throws Exception {
    List<RandomCorner> corners = new ArrayList<>();
    for (int i = 0; i < CLUSTERS; i++) {
      corners.add(new RandomCorner(SEED, i * SERVICES, SERVICES));
    }
    // Before the first client takes one of the ports.
    corners.forEach(corner -> corner.routes().forEach(DifferentialTest::listen));
    moveNodesThereAndBack();
    for (RandomCorner corner : corners) {
      api.apply(corner.birth());
      settle();
      compare(corner);
      api.apply(corner.death());
    }
    assertThat(differences).as("seed %d", SEED).isEmpty();
    assertThat(comparisons.get()).isGreaterThan(CLUSTERS * 100);
    assertThat(fates).contains("reject", "drop", "none");
  }

  @Test
  void aDeletedServiceEndsItsUdpFlowsByDesign() throws IOException {
    assertThat(DOCUMENT).content().contains("| UDP flows of a deleted service |");
    Ip address = Ip.of("10.96.9.9");
    api.apply(Markers.service("short-lived", List.of(address), Protocol.UDP));
    settle();
    try (ClientFlow there = theirs.lab().probe(Actor.POD_A3).open(Protocol.UDP, address, 80);
        ClientFlow here = ours.lab().probe(Actor.POD_A3).open(Protocol.UDP, address, 80)) {
      assertThat(there.ask(Probe.PATIENT)).isInstanceOf(Reply.Answered.class);
      assertThat(here.ask(Probe.PATIENT)).isInstanceOf(Reply.Answered.class);
      api.apply(Markers.removal("short-lived", address.family()));
      settle();
      assertThat(there.ask(Probe.PATIENT)).isInstanceOf(Reply.Answered.class);
      portolan.await(
          "the flow has ended", () -> !(here.ask(Probe.SHORT) instanceof Reply.Answered));
    }
  }

  @Test
  void aTableThatSomebodyDeletesComesBackByDesign() throws IOException {
    assertThat(DOCUMENT).content().contains("| another program changes or deletes the table |");
    List<Ip> marker = settle();
    theirs.node().exec("nft", "delete", "table", "ip", "kube-proxy");
    ours.node().exec("nft", "delete", "table", "ip", "portolan");
    ours.awaitAnswers(portolan, marker);
    assertThat(theirs.tables()).doesNotContain("table ip kube-proxy");
    // A start repairs it there too, and much sooner than the next change would.
    kubeProxy.close();
    kubeProxy = theirs.kubeProxy(folder, folder, "nftables");
    theirs.awaitAnswers(kubeProxy, marker);
  }

  /** Waits until both have heard of everything that was written so far. */
  private static List<Ip> settle() {
    List<Ip> marker = markers.next();
    theirs.awaitAnswers(kubeProxy, marker);
    ours.awaitAnswers(portolan, marker);
    return marker;
  }

  /** A kube-proxy may miss the zone that its Node has when it starts; it notices a change. */
  private static void moveNodesThereAndBack() {
    ClusterImage here = PacketTable.cluster();
    ClusterImage elsewhere = KubeProxyNode.elsewhere(here);
    settle();
    api.apply(ClusterDelta.between(here, elsewhere));
    settle();
    api.apply(ClusterDelta.between(elsewhere, here));
  }

  /** Compares all routes of all services, many at a time. */
  private void compare(RandomCorner corner) throws InterruptedException, ExecutionException {
    Explainer explainer = explainer();
    List<Runnable> tasks = new ArrayList<>();
    for (Service service : corner.services()) {
      List<Route> routes = RandomCorner.routes(service);
      if (service.affinitySeconds().isPresent()) {
        // The first packets of a client with affinity must not race each other.
        routes.stream()
            .collect(Collectors.groupingBy(Route::from))
            .values()
            .forEach(own -> tasks.add(() -> own.forEach(route -> compareSticky(route, explainer))));
      } else {
        routes.forEach(route -> tasks.add(() -> compare(route)));
      }
    }
    corner.strayRoutes().forEach(route -> tasks.add(() -> compare(route)));
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (Future<?> result : tasks.stream().map(threads::submit).toList()) {
        result.get();
      }
    }
  }

  private static void listen(Route route) {
    route.listen(theirs.lab());
    route.listen(ours.lab());
  }

  private void compare(Route route) {
    Comparison.Seen seen = Comparison.of(route, theirs.lab(), ours.lab());
    note(seen, seen.isSame());
  }

  private void compareSticky(Route route, Explainer explainer) {
    Comparison.Seen seen = Comparison.of(route, theirs.lab(), ours.lab());
    note(seen, seen.isSame() || isStuck(seen, fates(explainer, route)));
  }

  private void note(Comparison.Seen seen, boolean good) {
    if (!good) {
      differences.add(seen);
    }
    fates.addAll(seen.theirs());
    comparisons.incrementAndGet();
  }

  /** A client that sticks sees one endpoint on each side, which one is chance. */
  private static boolean isStuck(Comparison.Seen seen, SortedSet<String> possible) {
    return seen.theirs().size() == 1
        && seen.ours().size() == 1
        && possible.containsAll(seen.theirs())
        && possible.containsAll(seen.ours());
  }

  private Explainer explainer() {
    Brain brain = new Brain(warning -> {});
    NodeView view = brain.open(Actor.NODE_NAME, NodeSettings.DEFAULT);
    brain.apply(api.image());
    return new Explainer(view.decision());
  }

  /** What the brain says may become of a packet. */
  private static SortedSet<String> fates(Explainer explainer, Route route) {
    Explanation explanation =
        explainer
            .explain(
                new Target.OfAddress(route.address(), route.port(), Optional.of(route.protocol())),
                Optional.of(new Client.At(route.from().address(route.address().family()))))
            .getFirst();
    SortedSet<String> fates = new TreeSet<>();
    if (explanation.verdict() != Verdict.FORWARD) {
      fates.add(explanation.verdict().toString());
    }
    for (Explanation.Share share : explanation.endpoints()) {
      String name = Endpoints.name(share.endpoint().address(), share.endpoint().port());
      fates.add(Outcome.forwarded(Map.of(name, share.masquerade()), false).toString());
    }
    return fates;
  }
}
