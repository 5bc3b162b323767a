package dev.portolan.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.ipvs.IpvsBackend;
import dev.portolan.backend.ipvs.IpvsOptions;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.lab.Actor;
import dev.portolan.lab.ClientFlow;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Probe;
import dev.portolan.lab.Reply;
import dev.portolan.mode.Own;
import dev.portolan.mode.Scope;
import dev.portolan.netlink.lab.Command;
import dev.portolan.packets.PacketTable;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsVm;
import dev.portolan.testkit.peers.KubeProxyNode;
import dev.portolan.testkit.peers.NeedsBuilt;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node changes its mode from ipvs to another and back, under connections that stay open. */
@NeedsVm
final class IpvsDrainTest {
  private static final String WEB = "10.96.0.20";
  private static final String SOLO = "10.96.0.21";
  private static final String REMOTE = "10.96.0.22";
  private static final String UNUSED = "10.96.0.30";
  private static final String WEB_6 = "fd10:96::20";
  private static final String NODE = "172.18.0.11";

  /** The services that flows go to, and no others: each costs a kube-proxy time. */
  private static final ClusterDelta CLUSTER = cluster("web", "solo", "remote", "shop");

  private static Lab lab;
  private static NodeImage image;

  private final Map<String, ClientFlow> flows = new LinkedHashMap<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeAll
  static void buildLab() {
    // Rules of kube-proxy load it; a lab turns it off where it is there.
    Command.run("modprobe", "br_netfilter");
    lab = Lab.open();
    Brain brain = new Brain(warning -> {});
    brain.apply(CLUSTER);
    try (NodeView view = brain.open(Actor.NODE_NAME, NodeSettings.DEFAULT)) {
      image = view.image();
    }
  }

  @AfterAll
  static void closeLab() {
    lab.close();
  }

  @AfterEach
  void leaveNothing() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
    Leftovers.Removal removal = find(Set.of(), Scope.EVERYTHING).remove();
    assertThat(removal.stayed()).isEmpty();
    lab.node().exec("ipvsadm", "-C");
    assertThat(lab.node().exec("nft", "list", "ruleset")).doesNotContain("portolan", "KUBE-");
    assertThat(lab.node().exec("ip", "link")).doesNotContain("kube-ipvs0");
  }

  @Test
  void connectionsGoOnUntilTheyEndOrTheirTimeIsUp() throws Exception {
    serve(ipvs());
    openFlows();
    Socket ended = connect(REMOTE);
    Map<String, Reply> before = answers();
    serve(nftables());

    Leftovers found = find(Set.of(Own.TABLES), Scope.EVERYTHING);
    assertThat(found.lines()).anySatisfy(line -> assertThat(line).contains("device kube-ipvs0"));
    Leftovers.Removal removal = found.remove();
    assertThat(removal.stayed()).isEmpty();
    assertThat(removal.removed())
        .as("only what is gone")
        .noneSatisfy(line -> assertThat(line).contains("device"));
    assertThat(answers()).isEqualTo(before);
    assertThat(answer(Actor.POD_A3, Protocol.UDP, WEB)).startsWith("pod-");
    assertThat(find(Set.of(Own.TABLES), Scope.EVERYTHING).lines())
        .as("nothing left to do")
        .isEmpty();
    assertThat(servers())
        .contains("TCP  " + WEB + ":80", "TCP  [" + WEB_6 + "]:80", "TCP  " + NODE + ":30030")
        .doesNotContain("UDP", "SCTP", UNUSED, "Masq    1 ");
    assertThat(addresses()).contains(WEB, WEB_6, SOLO, REMOTE).doesNotContain(UNUSED);

    // What is new meets the new rules, and the node's own ports are not open at these addresses.
    String atNode = servers();
    assertThat(answer(Actor.OUTSIDE, Protocol.TCP, WEB)).startsWith("pod-");
    assertThat(servers()).isEqualTo(atNode);
    try (ServerSocket _ = lab.node().call(() -> new ServerSocket(22))) {
      assertThat(lab.probe(Actor.OUTSIDE).ask(Protocol.TCP, Ip.of(WEB), 22))
          .isEqualTo(new Reply.Rejected());
      assertThat(lab.probe(Actor.OUTSIDE).ask(Protocol.TCP, Ip.of(WEB_6), 22))
          .isEqualTo(new Reply.Rejected());
    }
    // The node itself connects from an address that stays.
    Socket fresh = connect(WEB);
    open.add(fresh);
    assertThat(fresh.getLocalAddress()).isNotEqualTo(InetAddress.ofLiteral(WEB));

    // A server goes when its last connection has ended; a reset is the fastest way.
    ended.setSoLinger(true, 0);
    ended.close();
    Await.until(
        "its server goes",
        () -> {
          IpvsDrain.Progress progress = drain(Duration.ZERO).step();
          assertThat(progress.isOver()).isFalse();
          return !addresses().contains(REMOTE);
        });
    assertThat(servers()).doesNotContain(REMOTE).contains(WEB);
    assertThat(answers()).isEqualTo(before);

    IpvsDrain.Progress over = lab.node().call(() -> drain(IpvsDrain.LIMIT.plusSeconds(1)).step());
    assertThat(over.isOver()).isTrue();
    assertThat(servers()).doesNotContain("TCP");
    assertThat(lab.node().exec("ip", "link")).doesNotContain("kube-ipvs0");
    assertThat(lab.node().exec("nft", "list", "tables")).doesNotContain("drain", "ipvs");
    assertThat(answer(Actor.POD_A3, Protocol.TCP, WEB)).startsWith("pod-");
    fresh.getOutputStream().write('\n');
    fresh.setSoTimeout(20_000);
    assertThat(fresh.getInputStream().read()).as("an answer").isPositive();
  }

  @Test
  void aReturnToIpvsTakesBackWhatDrains() throws Exception {
    serve(ipvs());
    openFlows();
    Map<String, Reply> before = answers();
    serve(nftables());
    assertThat(find(Set.of(Own.TABLES), Scope.EVERYTHING).remove().stayed()).isEmpty();
    flows.put("while draining", flow(Actor.POD_A3, Protocol.TCP, WEB, 80));
    before.put("while draining", answers().get("while draining"));

    serve(ipvs());
    assertThat(find(Set.of(Own.VIRTUAL_SERVERS), Scope.EVERYTHING).lines())
        .containsExactlyInAnyOrder(
            "nftables: table ip portolan-drain",
            "nftables: table ip6 portolan-drain",
            "nftables: table ip portolan",
            "nftables: table ip6 portolan");
    assertThat(find(Set.of(Own.VIRTUAL_SERVERS), Scope.EVERYTHING).remove().stayed()).isEmpty();
    assertThat(servers()).contains("Masq    1 ").doesNotContain("Masq    0 ");
    assertThat(answers()).isEqualTo(before);
    assertThat(answer(Actor.OUTSIDE, Protocol.TCP, WEB)).startsWith("pod-");
  }

  /**
   * From one start of the real kube-proxy, as that takes long: to our mode ipvs, and after its
   * rules are back, to our mode nftables.
   */
  @Test
  @NeedsBuilt("kube-proxy")
  void connectionsOfAKubeProxyGoOn(@TempDir Path folder) throws Exception {
    try (KubeProxyNode theirs = new KubeProxyNode(lab.node(), "ipvs", NodeSettings.DEFAULT)) {
      theirs.apply(CLUSTER);
      openFlows();
    }
    Map<String, Reply> before = answers();
    assertThat(rules()).contains("KUBE-SERVICES", "KUBE-CLUSTER-IP", "KUBE-6-CLUSTER-IP");
    String saving = "cd $0; ipset save >sets; iptables-save >4; ip6tables-save >6";
    lab.node().exec("sh", "-ec", saving, folder.toString());
    List<String> servers = lab.node().exec("ipvsadm", "-Sn").lines().sorted().toList();

    serve(ipvs());
    assertThat(lab.node().exec("ipvsadm", "-Sn").lines().sorted()).isEqualTo(servers);
    assertThat(rules()).as("while both stand").contains("KUBE-SERVICES", "KUBE-CLUSTER-IP");
    assertThat(find(Set.of(Own.VIRTUAL_SERVERS), Scope.EVERYTHING).remove().stayed()).isEmpty();
    assertThat(rules()).doesNotContain("KUBE-");
    assertThat(lab.node().exec("nft", "list", "tables")).contains("portolan-ipvs");
    assertThat(lab.node().exec("ipvsadm", "-Sn").lines().sorted()).isEqualTo(servers);
    assertThat(answers()).as("in our mode ipvs").isEqualTo(before);
    assertThat(answer(Actor.OUTSIDE, Protocol.TCP, WEB)).startsWith("pod-");

    String restoring = "cd $0; ipset restore <sets; iptables-restore 4; ip6tables-restore 6";
    lab.node().exec("sh", "-ec", restoring, folder.toString());
    lab.node().exec("nft", "delete", "table", "ip", "portolan-ipvs");
    lab.node().exec("nft", "delete", "table", "ip6", "portolan-ipvs");
    serve(nftables());
    assertThat(find(Set.of(Own.TABLES), Scope.EVERYTHING).remove().stayed()).isEmpty();
    assertThat(rules()).doesNotContain("KUBE-");
    assertThat(servers())
        .contains("TCP  " + WEB + ":80", "Masq    0 ")
        .doesNotContain("UDP", "SCTP", "Masq    1 ");
    assertThat(answers()).as("while IPVS drains").isEqualTo(before);
    assertThat(answer(Actor.OUTSIDE, Protocol.TCP, WEB)).startsWith("pod-");
    assertThat(drain(IpvsDrain.LIMIT.plusSeconds(1)).step().isOver()).isTrue();
    assertThat(lab.node().exec("ip", "link")).doesNotContain("kube-ipvs0");
  }

  /** The rules of iptables, and the names of sets. */
  private static String rules() {
    return lab.node().exec("sh", "-ec", "iptables-save; ip6tables-save; ipset list -n");
  }

  @Test
  void onlyOursIsCleanedUp() throws Exception {
    serve(ipvs());
    for (String foreign :
        List.of("-f 7", "-t 198.51.100.7:80", "-t 10.9.0.1:80", "-t 172.18.0.21:443")) {
      List<String> words = new ArrayList<>(List.of("ipvsadm", "-A", "-s", "wlc"));
      words.addAll(List.of(foreign.split(" ")));
      lab.node().exec(words.toArray(String[]::new));
    }
    lab.node().exec("ipvsadm", "-a", "-t", "198.51.100.7:80", "-r", "10.244.1.11:80", "-g");
    lab.node().exec("ipvsadm", "-a", "-t", "172.18.0.21:443", "-r", "198.51.100.10:443", "-m");

    TakeoverOptions options =
        TakeoverOptions.of("", Set.of(), List.of(Cidr.of("10.9.0.0/16")))
            .of(Scope.OURS)
            .in(Optional.of(lab.node().path()));
    Leftovers.Removal removal = Takeover.find(options).remove();
    assertThat(removal.stayed()).isEmpty();
    assertThat(removal.removed())
        .anySatisfy(line -> assertThat(line).startsWith("ipvs: "))
        .contains("nftables: table ip portolan-ipvs", "nftables: table ip6 portolan-ipvs");
    assertThat(servers().lines().filter(line -> line.contains(" wlc")))
        .containsExactlyInAnyOrder(
            "TCP  198.51.100.7:80 wlc",
            "TCP  10.9.0.1:80 wlc",
            "TCP  172.18.0.21:443 wlc",
            "FWM  7 wlc");
    assertThat(servers()).doesNotContain(" rr");
  }

  private static ClusterDelta cluster(String... names) {
    ClusterImage all = PacketTable.cluster();
    ClusterDelta.Builder some = ClusterDelta.builder();
    List<String> chosen = List.of(names);
    all.nodes().forEach((_, node) -> some.set(node));
    all.services()
        .forEach((id, service) -> {
          if (chosen.contains(id.name())) {
            some.set(service);
          }
        });
    all.slices()
        .forEach((id, slice) -> {
          if (chosen.stream().anyMatch(name -> id.name().startsWith(name + "-"))) {
            some.set(slice);
          }
        });
    return some.build();
  }

  private static void serve(Backend backend) {
    try (backend) {
      backend.sync(change());
    }
  }

  private static Backend ipvs() {
    return new IpvsBackend(IpvsOptions.DEFAULT.in(Optional.of(lab.node().path())));
  }

  private static Backend nftables() {
    return new NftablesBackend(new NftablesOptions("portolan", 14, Optional.of(lab.node().path())));
  }

  private static NodeChange change() {
    return NodeChange.between(NodeImage.unsynced(Actor.NODE_NAME), image);
  }

  private void openFlows() throws IOException {
    flows.put("plain", flow(Actor.POD_A3, Protocol.TCP, WEB, 80));
    flows.put("plain v6", flow(Actor.POD_A3, Protocol.TCP, WEB_6, 80));
    flows.put("masqueraded", flow(Actor.OUTSIDE, Protocol.TCP, WEB, 80));
    flows.put("nodePort", flow(Actor.OUTSIDE, Protocol.TCP, NODE, 30030));
    flows.put("hairpin", flow(Actor.POD_A1, Protocol.TCP, SOLO, 80));
    flows.put("node", flow(Actor.NODE, Protocol.TCP, WEB, 80));
  }

  private ClientFlow flow(Actor from, Protocol protocol, String to, int port) {
    ClientFlow flow = lab.probe(from).open(protocol, Ip.of(to), port);
    open.add(flow);
    return flow;
  }

  /** What all flows are answered; each time the same while the connection lives. */
  private Map<String, Reply> answers() {
    Map<String, Reply> answers = new LinkedHashMap<>();
    flows.forEach((name, flow) -> {
      Reply reply = flow.ask(Probe.PATIENT);
      assertThat(reply).as(name).isInstanceOf(Reply.Answered.class);
      answers.put(name, reply);
    });
    return answers;
  }

  private static String answer(Actor from, Protocol protocol, String to) {
    return lab.probe(from).ask(protocol, Ip.of(to), 80).toString();
  }

  private static Socket connect(String address) {
    return lab.node()
        .call(() -> {
          Socket socket = new Socket();
          try {
            socket.connect(new InetSocketAddress(InetAddress.ofLiteral(address), 80), 20_000);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
          return socket;
        });
  }

  private static IpvsDrain drain(Duration later) {
    Instant time = Instant.now().plus(later);
    return new IpvsDrain(options(Set.of(Own.TABLES), Scope.EVERYTHING), () -> time);
  }

  private static Leftovers find(Set<Own> own, Scope scope) {
    return Takeover.find(options(own, scope));
  }

  private static TakeoverOptions options(Set<Own> own, Scope scope) {
    return TakeoverOptions.of("portolan", own, List.of())
        .of(scope)
        .in(Optional.of(lab.node().path()));
  }

  private static String servers() {
    return lab.node().exec("ipvsadm", "-Ln");
  }

  private static String addresses() {
    return lab.node().exec("ip", "address", "show", "dev", "kube-ipvs0");
  }
}
