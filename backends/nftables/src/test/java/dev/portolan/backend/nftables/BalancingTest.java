package dev.portolan.backend.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Reply;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.table.TableText;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.Small;
import dev.portolan.testbase.NeedsKernel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which endpoints clients get in a real kernel, where a service says how. */
@NeedsKernel(tools = {"ip", "nft"})
class BalancingTest {
  private static final int CLIENTS = 40;

  private final List<AutoCloseable> opened = new ArrayList<>();

  /** A node in a lab of its own. */
  private record Site(Lab lab, NodeUnderTest node) {
    void apply(Service service, List<Actor> pods) {
      node.apply(ClusterDelta.builder().set(service).set(Small.slice(pods)).build());
    }

    NftablesBackend backend() {
      return (NftablesBackend) node.backend();
    }

    /** The pod that answers the outside client at each of its next source ports. */
    List<String> answers(int clients) {
      List<String> answers = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        Reply reply = lab.probe(Actor.OUTSIDE).ask(Protocol.TCP, Small.ADDRESS, 80);
        assertThat(reply).isInstanceOf(Reply.Answered.class);
        answers.add(((Reply.Answered) reply).name());
      }
      return answers;
    }

    Map<String, String> elements(String map) {
      Map<String, String> elements = new HashMap<>();
      try (Nftables kernel = new Nftables(Optional.of(lab.node().path()))) {
        kernel
            .elements(AddressFamily.IPV4, NftablesOptions.DEFAULT.table(), map)
            .forEach(element ->
                elements.put(
                    HexFormat.of().formatHex(element.key()),
                    HexFormat.of().formatHex(element.data())));
      }
      return elements;
    }
  }

  private Site site() {
    Lab lab = Lab.open();
    opened.add(lab);
    NodeUnderTest node =
        new NodeUnderTest(
            lab.node(), () -> new NftablesBackend(NftablesOptions.DEFAULT), NodeSettings.DEFAULT);
    opened.addFirst(node);
    return new Site(lab, node);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  private static Service asking(String balancing, String weights) {
    return Service.named("traffic", "test")
        .clusterIps(List.of(Small.ADDRESS.toString()))
        .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 30_080)))
        .metadata(
            ServiceMetadata.of(
                Map.of(),
                Map.of(
                    ServiceAnnotation.BALANCING.key(),
                    balancing,
                    ServiceAnnotation.WEIGHTS.key(),
                    weights)))
        .build();
  }

  @Test
  void aClientHasOneEndpointOnAllNodesWhateverHappenedToThemBefore() {
    List<Actor> pods = Actor.PODS;
    Site first = site();
    first.apply(asking("maglev", ""), pods.subList(0, 4));
    Site second = site();
    second.apply(asking("random", ""), pods.subList(2, 5));
    second.apply(asking("maglev", ""), pods.subList(1, 5));
    second.apply(asking("maglev", ""), pods.subList(0, 5));
    second.apply(asking("maglev", ""), pods.subList(0, 4));

    List<String> answers = first.answers(CLIENTS);
    assertThat(second.answers(CLIENTS)).isEqualTo(answers);
    assertThat(answers).containsAll(pods.subList(0, 4).stream().map(Actor::toString).toList());

    first.apply(asking("maglev-address", ""), pods.subList(0, 4));
    second.apply(asking("maglev-address", ""), pods.subList(0, 4));
    answers = first.answers(5);
    assertThat(new HashSet<>(answers)).hasSize(1);
    assertThat(second.answers(5)).isEqualTo(answers);
  }

  @Test
  void aGoneEndpointRewritesItsSlotsAndFewOthers() {
    Site site = site();
    site.apply(asking("maglev", ""), Actor.PODS.subList(0, 4));
    Map<String, String> before = site.elements("tcp-maglev");
    assertThat(before).hasSize(251);
    assertThat(site.elements("tcp-nodeport-maglev")).hasSize(251);

    site.apply(asking("maglev", ""), Actor.PODS.subList(1, 4));
    Map<String, String> after = site.elements("tcp-maglev");
    assertThat(after.keySet()).isEqualTo(before.keySet());
    assertThat(after.keySet().stream().filter(key -> !after.get(key).equals(before.get(key))))
        .hasSizeBetween(62, 85);
    assertThat(site.backend().audit(site.node().image())).isEqualTo(Audit.CLEAN);

    site.node().restart();
    assertThat(site.elements("tcp-maglev")).isEqualTo(after);
    assertThat(site.backend().audit(site.node().image())).isEqualTo(Audit.CLEAN);
    assertPrintedAlike(site);

    site.apply(asking("random", ""), Actor.PODS.subList(1, 4));
    site.backend().tidy();
    assertThat(site.lab().node().exec("nft", "list", "ruleset")).doesNotContain("maglev");
  }

  /** What render prints loads, lists alike, and what nft lists loads again. */
  private static void assertPrintedAlike(Site site) {
    StringBuilder text = new StringBuilder();
    TableText.print(
        NftablesBackend.render(site.node().image(), IpFamily.IPV4, NftablesOptions.DEFAULT),
        NftablesOptions.DEFAULT.table(),
        text);
    String listing = site.lab().node().exec("nft", "list", "table", "ip", "portolan");
    assertThat(listing).contains("jhash ip saddr . tcp sport mod 251 seed 0x5ca1ab1e");
    for (String input : List.of(text.toString(), listing)) {
      site.lab().node().execWith("delete table ip portolan\n" + input, "nft", "-f", "-");
      assertThat(site.lab().node().exec("nft", "list", "table", "ip", "portolan"))
          .isEqualTo(listing);
    }
    // The text has no mark that says whose the table is; the audit puts it back.
    site.backend().audit(site.node().image());
    assertThat(site.backend().audit(site.node().image())).isEqualTo(Audit.CLEAN);
  }

  @Test
  void thePlaceOfAnEndpointCanHaveAWeight() {
    Site site = site();
    String weights = "node:" + Actor.OTHER_NODE_NAME + "=7";
    site.apply(
        asking("random", weights), List.of(Actor.PODS_A.getFirst(), Actor.PODS_B.getFirst()));
    assertThat(site.elements("tcp-endpoints")).hasSize(8);
    List<String> answers = site.answers(4 * CLIENTS);
    assertThat(share(answers, Actor.PODS_B.getFirst())).isBetween(0.75, 0.97);

    site.node().restart();
    assertThat(site.elements("tcp-endpoints")).hasSize(8);
    assertThat(site.backend().audit(site.node().image())).isEqualTo(Audit.CLEAN);

    site.apply(
        asking("maglev", weights), List.of(Actor.PODS_A.getFirst(), Actor.PODS_B.getFirst()));
    assertThat(share(site.answers(4 * CLIENTS), Actor.PODS_B.getFirst())).isBetween(0.75, 0.97);
  }

  private static double share(List<String> answers, Actor pod) {
    return (double) answers.stream().filter(pod.toString()::equals).count() / answers.size();
  }
}
