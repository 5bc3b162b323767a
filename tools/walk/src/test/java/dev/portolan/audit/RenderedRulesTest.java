package dev.portolan.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.iptables.IptablesMode;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.Brain;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeImage;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.mode.ModeRules;
import dev.portolan.mode.ModeSettings;
import dev.portolan.mode.OpenBackend;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.packets.PacketTable;
import dev.portolan.source.file.Manifests;
import dev.portolan.testbase.NeedsKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules that are printed and loaded by nft or iptables-restore are those that a sync writes. */
@NeedsKernel(tools = {"ip", "nft", "iptables-nft-restore", "iptables-legacy-restore"})
class RenderedRulesTest {
  private static final String HASHED =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: hashed, namespace: lab, annotations: {portolan.dev/balancing: maglev}}
      spec:
        clusterIPs: [10.96.0.210, "fd10:96::210"]
        ipFamilies: [IPv4, IPv6]
        ports: [{name: http, protocol: TCP, port: 80}]
      ---
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata: {name: hashed-v4, namespace: lab, labels: {kubernetes.io/service-name: hashed}}
      addressType: IPv4
      ports: [{name: http, protocol: TCP, port: 8080}]
      endpoints:
      - {addresses: [10.244.1.11], nodeName: worker-1, conditions: {ready: true}}
      - {addresses: [10.244.2.11], nodeName: worker-2, conditions: {ready: true}}
      """;
  private static final String EMPTY =
      "*nat\n-F\n-X\nCOMMIT\n*filter\n-F\n-X\nCOMMIT\n*mangle\n-F\n-X\nCOMMIT\n";

  @AutoClose private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  static List<Arguments> trials() {
    List<Arguments> trials = new ArrayList<>();
    for (PacketTable table : PacketTable.ofEachSetting()) {
      trials.add(Arguments.of("nftables", Variant.AUTO, table));
      trials.add(Arguments.of("iptables", Variant.NFT, table));
      trials.add(Arguments.of("iptables", Variant.LEGACY, table));
    }
    return trials;
  }

  @ParameterizedTest(name = "{0}, {1}, {2}")
  @MethodSource("trials")
  void theyAreWhatASyncWrites(String mode, Variant variant, PacketTable table) {
    ModeSettings settings =
        ModeConfiguration.byDefault()
            .with(IptablesMode.VARIANT, variant)
            .in(Optional.of(lab.node().path()));
    ModeRules rules = KernelModes.named(mode).orElseThrow().rules(settings);
    NodeImage image = image(table);
    try {
      for (IpFamily family : IpFamily.values()) {
        load(rules.text(image, family), program(variant, family));
      }
      assertThat(drift(rules, image)).isEmpty();
    } finally {
      for (IpFamily family : IpFamily.values()) {
        load(EMPTY, program(Variant.LEGACY, family));
      }
      lab.node().exec("nft", "flush", "ruleset");
    }
  }

  /** With a service whose clients are hashed, which the cluster of packet tables lacks. */
  private static NodeImage image(PacketTable table) {
    ClusterDelta hashed =
        ClusterDelta.between(ClusterImage.EMPTY, Manifests.parse("hashed.yaml", HASHED).image());
    Brain brain = new Brain(warning -> {});
    brain.apply(hashed.applyTo(PacketTable.cluster()));
    return brain.open(Actor.NODE_NAME, table.settings()).decision().image();
  }

  private static List<String> program(Variant variant, IpFamily family) {
    String iptables = family == IpFamily.IPV4 ? "iptables-" : "ip6tables-";
    return switch (variant) {
      case AUTO -> List.of("nft", "-f", "-");
      case NFT -> List.of(iptables + "nft-restore");
      case LEGACY -> List.of(iptables + "legacy-restore");
    };
  }

  private static void load(String text, List<String> program) {
    String _ = lab.node().execWith(text, program.toArray(String[]::new));
  }

  private static List<String> drift(ModeRules rules, NodeImage image) {
    OpenBackend opened = rules.open();
    try (Backend _ = opened.backend()) {
      return opened.drift().apply(image);
    }
  }
}
