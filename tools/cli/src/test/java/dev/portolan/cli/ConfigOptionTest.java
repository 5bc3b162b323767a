package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.Brain;
import dev.portolan.cli.Shell.Result;
import dev.portolan.config.DecisionSettings;
import dev.portolan.config.NodeIps;
import dev.portolan.config.StartPlan;
import dev.portolan.config.file.ConfigText;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.NodeImage;
import dev.portolan.source.file.Manifests;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.view.Excerpt;
import dev.portolan.terminal.view.ListingStyle;
import dev.portolan.terminal.view.NodeListing;
import dev.portolan.terminal.view.ServiceFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --config}: a file for kube-proxy as settings of the commands that decide. */
final class ConfigOptionTest {
  private static final String HEADER =
      """
      apiVersion: kubeproxy.config.k8s.io/%s
      kind: KubeProxyConfiguration
      mode: nftables
      """;

  private static final String OLDER =
      HEADER.formatted("v1alpha1")
          + """
          clusterCIDR: 10.200.0.0/16
          nodePortAddresses: [10.0.0.0/8]
          bindAddress: 10.9.9.9
          nftables: {masqueradeAll: true}
          featureGates: {AllowServiceExternalIPs: false}
          """;

  private static final String LATEST =
      HEADER.formatted("v1alpha2")
          + """
          detectLocalMode: BridgeInterface
          detectLocal: {bridgeInterface: cbr0}
          ipFamilyPolicy: SingleStack
          featureGates: {AllowServiceExternalIPs: false}
          """;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("config.yaml");
  }

  private String write(String text) throws Exception {
    Files.writeString(file, text);
    return "--config=" + file;
  }

  private static String fact(String name, String... options) {
    Result result = Shell.shop("worker-1", "show", concat("node", options));
    assertThat(result.status()).as(result.err()).isZero();
    return result.lines().stream()
        .filter(line -> line.startsWith(name))
        .findFirst()
        .orElseThrow()
        .substring(name.length())
        .strip();
  }

  private static String[] concat(String first, String... rest) {
    String[] all = new String[rest.length + 1];
    all[0] = first;
    System.arraycopy(rest, 0, all, 1, rest.length);
    return all;
  }

  @Test
  void theFileSaysHowTheNodeIsSetUp() throws Exception {
    String older = write(OLDER);
    assertThat(fact("pods recognized by", older)).isEqualTo("IPv4 source 10.200.0.0/16, IPv6 none");
    assertThat(fact("nodePorts served on", older)).isEqualTo("IPv4 10.0.0.0/8, IPv6 all");
    assertThat(fact("primary addresses", older)).startsWith("10.9.9.9");
    assertThat(fact("masquerade all", older)).isEqualTo("yes");

    String latest = write(LATEST);
    assertThat(fact("pods recognized by", latest)).startsWith("IPv4 interface cbr0");
    assertThat(fact("nodePorts served on", latest)).startsWith("IPv4 192.168.10.11/32");
    assertThat(fact("masquerade all", latest)).isEqualTo("no");
  }

  @Test
  void anOptionWinsOverTheFile() throws Exception {
    String older = write(OLDER);
    assertThat(fact("pods recognized by", older, "--cluster-cidr=10.1.0.0/16"))
        .isEqualTo("IPv4 source 10.1.0.0/16, IPv6 none");
    assertThat(fact("pods recognized by", older, "--detect-local-mode=NodeCIDR"))
        .startsWith("IPv4 source 10.244.1.0/24");
    assertThat(fact("nodePorts served on", older, "--nodeport-addresses=all"))
        .isEqualTo("IPv4 all, IPv6 all");
    assertThat(fact("primary addresses", older, "--bind-address=10.8.8.8")).startsWith("10.8.8.8");
    assertThat(fact("masquerade all", older, "--masquerade-all=false")).isEqualTo("no");
    assertThat(fact("pods recognized by", write(LATEST), "--pod-bridge-interface=cbr1"))
        .startsWith("IPv4 interface cbr1");
  }

  @Test
  void aFileThatCannotBeUsedIsRefusedWithItsPlaces() throws Exception {
    String bad = write(HEADER.formatted("v1alpha1") + "clusterCIDR: nowhere\n");
    Result result = Shell.shop("worker-1", "explain", bad, "shop/web");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("error: " + file + ":4")
        .contains("clusterCIDR")
        .endsWith("portolan: --config: " + file + " is not a usable configuration, 1 error\n");

    Result missing = Shell.shop("worker-1", "render", "--config=" + folder.resolve("none"));
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err()).contains(folder.resolve("none").toString());
  }

  @Test
  void theGatesOfTheFileSayWhatIsRejectedOnLocalhost() throws Exception {
    String gate = "featureGates: {KubeProxyNFTablesLocalhostNodePorts: true}\n";
    String ports = "nodePortAddresses: [127.0.0.0/8]\n";
    assertThat(Shell.shop("worker-1", "render", config(gate + ports), "--family=ipv4").out())
        .contains("map localhost-nodeports {", "chain localhost-reject-udp {");
    assertThat(Shell.shop("worker-1", "render", config(ports), "--family=ipv4").out())
        .doesNotContain("localhost-");
  }

  private String config(String fields) throws Exception {
    return write(HEADER.formatted("v1alpha1") + fields);
  }

  @Test
  void theFileSaysHowVirtualServersAre() throws Exception {
    String ipvs =
        write(
            HEADER.formatted("v1alpha1").replace("nftables", "ipvs")
                + "ipvs: {scheduler: wlc, strictARP: true}\n");
    assertThat(Shell.shop("worker-1", "render", ipvs, "--family=ipv4").out())
        .contains("\nnet.ipv4.conf.all.arp_ignore = 1\n")
        .contains("\ndevice kube-ipvs0\n  10.96.0.1/32\n")
        .contains("\nTCP  10.96.20.6:9090 wlc persistent 3600\n")
        .doesNotContain("[fd00:");
    assertThat(
            Shell.shop("worker-1", "render", ipvs, "--ipvs-scheduler=sh", "--ipvs-strict-arp=false")
                .out())
        .doesNotContain("arp_ignore")
        .contains("\nTCP  [fd00:10:96::a]:80 sh\n");
  }

  @Test
  void theFileSaysWhichRulesAreWritten() throws Exception {
    String iptables =
        write(
            HEADER.formatted("v1alpha1").replace("nftables", "iptables")
                + "iptables: {masqueradeBit: 3}\nnftables: {masqueradeBit: 5}\n");
    String[] ipv4 = {"--family=ipv4", "--cluster-cidr=10.244.0.0/16"};
    assertThat(Shell.shop("worker-1", "render", concat(iptables, ipv4)).out())
        .startsWith("# iptables-restore --noflush\n")
        .contains("-j MARK --or-mark 0x8\n");
    assertThat(
            Shell.shop("worker-1", "render", concat(iptables, concat("--backend=nftables", ipv4)))
                .out())
        .startsWith("table ip portolan {")
        .contains("mark | 0x00000020");
    assertThat(Shell.shop("worker-1", "render", concat(iptables, "--masquerade-bit=4")).out())
        .contains("-j MARK --or-mark 0x10\n");
    for (String command : List.of("render", "run")) {
      assertThat(Shell.shop("worker-1", command, iptables, "--nftables-table=x").err())
          .startsWith(
              "portolan: --nftables-table is for --backend nftables, ebpf or userspace, but the"
                  + " backend is iptables");
      iptables = write(HEADER.formatted("v1alpha1").replace("nftables", "iptables"));
    }
  }

  @Test
  void withABrainItsSettingsCount() throws Exception {
    Result result = Shell.run("show", "--api=unix:///x", "--node=n", write(OLDER));
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("portolan: --config: with --api, the brain's settings apply; remove it");
  }

  @Test
  void theBrainRunAndTheDaemonDecideAlike() throws Exception {
    for (String text : List.of(OLDER, LATEST)) {
      String config = write(text);
      try (ServedShop shop = new ServedShop(Files.createTempDirectory(folder, "served"), config)) {
        NodeImage daemon = daemon(shop.folder);
        for (NodeListing what : NodeListing.values()) {
          String[] options = {what.toString(), "--node=worker-1", "-o=json"};
          Result own = Shell.over(shop.folder, "show", concat(config, options));
          assertThat(own.status()).as(own.err()).isZero();
          assertThat(Shell.run(concat("show", concat(shop.api(), options))).out())
              .isEqualTo(own.out());
          ListingStyle style = new ListingStyle(false, true, Optional.empty());
          Excerpt all = Excerpt.of(daemon, ServiceFilter.ALL);
          assertThat(OutputFormat.JSON.write(what.result(all, style).tree())).isEqualTo(own.out());
        }
        assertThat(daemon.service(new NamespacedName("shop", "web"))).isNotNull();
      }
    }
  }

  /** What the daemon decides: it takes the families from the Node at its start. */
  private NodeImage daemon(Path manifests) {
    StartPlan plan = StartPlan.ofFile(file.toString(), ConfigText::read, Platform.LINUX);
    ClusterImage cluster = Manifests.read(manifests).image();
    Node node = Objects.requireNonNull(cluster.nodes().get("worker-1"));
    NodeIps addresses =
        NodeIps.decide(
            plan.configuration(),
            Stream.concat(node.internalIps().stream(), node.externalIps().stream())
                .map(Ip::of)
                .toList());
    DecisionSettings settings = plan.decision();
    Brain brain = new Brain(settings.cluster(), warning -> {});
    brain.apply(cluster);
    return brain.open("worker-1", settings.node().with(addresses.byFamily().keySet())).image();
  }
}
