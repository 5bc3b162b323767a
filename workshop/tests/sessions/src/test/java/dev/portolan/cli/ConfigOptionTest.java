package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.Brain;
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
import dev.portolan.sessions.ServedShop;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
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

/** {@code --config} gives the same decisions in three programs; what it says are sessions. */
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

  private static String[] concat(String first, String... rest) {
    String[] all = new String[rest.length + 1];
    all[0] = first;
    System.arraycopy(rest, 0, all, 1, rest.length);
    return all;
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
