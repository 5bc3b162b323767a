package dev.portolan.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeSettings.LocalMode;
import dev.portolan.brain.NodeSettings.NodePortChoice;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Balancing;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** How options, a configuration file and the backend combine. */
final class NodeSettingsOptionsTest {
  private static final NodePortChoice ALL = NodePortChoice.parse(List.of("all"));

  @TempDir private Path folder;
  private final StringWriter said = new StringWriter();
  private final Remarks remarks =
      new Remarks(Terminal.plain(new PrintWriter(said), new PrintWriter(said, true)));

  private NodeSettings settings(String backend, String... options) {
    return CommandLine.populateCommand(new NodeSettingsOptions(), options)
        .settings(List.of(), backend, remarks)
        .node();
  }

  private String file(String... fields) throws IOException {
    String head = "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n";
    Path file = Files.writeString(folder.resolve("c"), head + String.join("\n", fields) + "\n");
    return "--config=" + file;
  }

  @Test
  void aRangeOfPodsImpliesThatTheyAreRecognizedByIt() {
    assertThat(settings("").localMode()).isEqualTo(LocalMode.NODE_CIDR);
    assertThat(settings("", "--cluster-cidr=10.1.0.0/16").localMode())
        .isEqualTo(LocalMode.CLUSTER_CIDR);
    assertThat(
            settings("", "--cluster-cidr=10.1.0.0/16", "--detect-local-mode=NodeCIDR").localMode())
        .isEqualTo(LocalMode.NODE_CIDR);
  }

  @Test
  void aRangeThatAFileLacksDoesNotChangeItsMode() throws IOException {
    String bridge =
        file(
            "mode: nftables",
            "detectLocalMode: BridgeInterface",
            "detectLocal: {bridgeInterface: cbr0}");
    NodeSettings settings = settings("", bridge, "--cluster-cidr=10.1.0.0/16");
    assertThat(settings.localMode()).isEqualTo(LocalMode.BRIDGE_INTERFACE);
    assertThat(settings.podInterface()).isEqualTo("cbr0");
  }

  @Test
  void aModeWithoutItsRangeIsAWarning() {
    assertThat(settings("", "--detect-local-mode=ClusterCIDR").clusterCidrs()).isEmpty();
    assertThat(said).hasToString("warning: --detect-local-mode=ClusterCIDR needs --cluster-cidr\n");
  }

  @ParameterizedTest
  @CsvSource({"nftables, false", "ebpf, false", "userspace, false", "iptables, true", "ipvs, true"})
  void whereNothingIsSaidTheBackendChoosesTheAddressesOfNodePorts(String backend, boolean all) {
    assertThat(settings(backend).nodePortAddresses()).isEqualTo(all ? ALL : NodePortChoice.PRIMARY);
    assertThat(settings(backend, "--nodeport-addresses=10.0.0.0/8").nodePortAddresses())
        .isEqualTo(NodePortChoice.parse(List.of("10.0.0.0/8")));
  }

  @Test
  void aFileThatSaysNothingOfThemLeavesThemToTheBackendThatTakesItsPlace() throws IOException {
    String silent = file("mode: iptables", "clusterCIDR: 10.0.0.0/8");
    assertThat(settings("", silent).nodePortAddresses()).isEqualTo(ALL);
    assertThat(settings("iptables", silent).nodePortAddresses()).isEqualTo(ALL);
    assertThat(settings("nftables", silent).nodePortAddresses()).isEqualTo(NodePortChoice.PRIMARY);

    String all =
        file("mode: iptables", "clusterCIDR: 10.0.0.0/8", "nodePortAddresses: [0.0.0.0/0]");
    assertThat(settings("nftables", all).nodePortAddresses())
        .isEqualTo(NodePortChoice.parse(List.of("0.0.0.0/0")));
  }

  @Test
  void addressesThatAreGivenReplaceThoseOfTheNode() {
    List<Ip> addresses = List.of(Ip.of("10.8.8.8"));
    assertThat(new NodeSettingsOptions().settings(addresses, "", remarks).node().nodeIps())
        .isEqualTo(addresses);
  }

  @Test
  void theBalancingOfAllServicesIsTheClusters() {
    assertThat(
            CommandLine.populateCommand(new NodeSettingsOptions(), "--balancing=maglev")
                .settings(List.of(), "", remarks)
                .cluster()
                .balancing())
        .isEqualTo(Balancing.Kind.MAGLEV);
  }

  @Test
  void whatWasGivenIsKnownByItsNames() {
    assertThat(
            CommandLine.populateCommand(
                    new NodeSettingsOptions(),
                    "--masquerade-all=false",
                    "--cluster-cidr= ",
                    "--config=c")
                .given())
        .containsExactly("--config", "--masquerade-all");
  }
}
