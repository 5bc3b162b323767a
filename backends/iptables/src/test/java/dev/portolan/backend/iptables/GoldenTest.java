package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.Brain;
import dev.portolan.brain.FamilyPolicy;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeSettings.LocalMode;
import dev.portolan.brain.NodeSettings.NodePortChoice;
import dev.portolan.conformance.clusters.RandomCluster;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.source.file.Manifests;
import dev.portolan.testbase.Golden;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole text for a dozen clusters, one file each in {@code golden}. With {@code -Dupdate} the
 * files are rewritten; review the changes.
 */
class GoldenTest {
  private static final Path FOLDER = Path.of("src/test/resources/golden");
  private static final List<String> PRIMARY = List.of("primary");

  /** A node of a cluster, and how it is to be programmed. */
  record Case(String name, NodeImage image, IptablesOptions options) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> cases() {
    return List.of(
        shop("shop-worker-1", "worker-1", NodeSettings.DEFAULT),
        shop("shop-worker-2", "worker-2", NodeSettings.DEFAULT),
        shop("shop-unknown-node", "worker-9", NodeSettings.DEFAULT),
        shop("shop-nodeports-everywhere", "worker-1", nodePorts(List.of("all"))),
        shop("shop-nodeports-on-localhost", "worker-1", nodePorts(List.of("localhost"))),
        shop("shop-nodeports-in-a-range", "worker-1", nodePorts(List.of("0.0.0.0/1", "::/1"))),
        shop(
            "shop-cluster-cidr",
            "worker-1",
            settings(LocalMode.CLUSTER_CIDR, "", PRIMARY, IpFamily.ALL, false)),
        shop(
            "shop-bridge",
            "worker-1",
            settings(LocalMode.BRIDGE_INTERFACE, "cni0", PRIMARY, IpFamily.ALL, false)),
        shop(
            "shop-interface-prefix",
            "worker-1",
            settings(LocalMode.INTERFACE_NAME_PREFIX, "veth", PRIMARY, IpFamily.ALL, false)),
        shop(
            "shop-masquerade-all",
            "worker-1",
            settings(LocalMode.NODE_CIDR, "", PRIMARY, IpFamily.ALL, true)),
        shop(
            "shop-ipv6-only",
            "worker-1",
            settings(LocalMode.NODE_CIDR, "", PRIMARY, Set.of(IpFamily.IPV6), false)),
        new Case(
            "shop-large-liberal-bit-7",
            shop("", "worker-1", nodePorts(List.of("all"))).image,
            new IptablesOptions(
                7,
                false,
                Variant.AUTO,
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                3,
                true,
                Optional.empty(),
                IptablesOptions.USUAL_FOLDERS)),
        new Case("random", random(), IptablesOptions.DEFAULT),
        new Case(
            "empty",
            view(ClusterImage.EMPTY, "n1", NodeSettings.DEFAULT),
            IptablesOptions.DEFAULT));
  }

  private static Case shop(String name, String node, NodeSettings settings) {
    ClusterImage cluster = Manifests.read(Path.of("../../examples/shop")).image();
    return new Case(name, view(cluster, node, settings), IptablesOptions.DEFAULT);
  }

  private static NodeSettings nodePorts(List<String> addresses) {
    return settings(LocalMode.NODE_CIDR, "", addresses, IpFamily.ALL, false);
  }

  private static NodeSettings settings(
      LocalMode mode,
      String podInterface,
      List<String> nodePorts,
      Set<IpFamily> families,
      boolean masqueradeAll) {
    return new NodeSettings(
        mode,
        List.of(Cidr.of("10.244.0.0/16"), Cidr.of("fd10:244::/48")),
        podInterface,
        NodePortChoice.parse(nodePorts),
        families,
        FamilyPolicy.BOTH,
        List.of(),
        masqueradeAll);
  }

  private static NodeImage view(ClusterImage cluster, String node, NodeSettings settings) {
    Brain brain = new Brain(warning -> {});
    brain.apply(cluster);
    return brain.open(node, settings).image();
  }

  private static NodeImage random() {
    Brain brain = new Brain(warning -> {});
    for (long seed = 0; seed < 40; seed++) {
      brain.apply(RandomCluster.event(seed));
    }
    return brain.open("n1", NodeSettings.DEFAULT).image();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theTextIsAsItWas(Case one) throws IOException {
    Path file = FOLDER.resolve(one.name + ".rules");
    String text = IptablesText.render(one.image, one.options);
    if (Golden.UPDATE) {
      Files.writeString(file, text);
    }
    assertThat(text).isEqualTo(Files.readString(file));
  }

  @ParameterizedTest
  @MethodSource("cases")
  @NeedsKernel(tools = {"ip", "iptables-nft-restore", "iptables-legacy-restore"})
  void bothKindsOfIptablesLoadIt(Case one) {
    for (Variant variant : List.of(Variant.NFT, Variant.LEGACY)) {
      try (TestNamespace namespace = new TestNamespace()) {
        for (IpFamily family : one.image.facts().families()) {
          String text = IptablesText.render(one.image, family, one.options);
          String program = Saved.program(variant, family, "restore");
          namespace.runWithInput(text, program, "--noflush", "--test");
          namespace.runWithInput(text, program, "--noflush");
          Saved loaded = Saved.read(variant, family, namespace::run);
          assertThat(loaded.ours()).hasSizeGreaterThan(Jump.ALL.size());
        }
      }
    }
  }
}
