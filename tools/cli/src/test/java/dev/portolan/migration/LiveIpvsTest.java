package dev.portolan.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.text.Tree;
import dev.portolan.migration.LiveServer.Owner;
import dev.portolan.migration.LiveServer.Place;
import dev.portolan.migration.LiveServer.Real;
import dev.portolan.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What is said about the virtual servers that a node has. */
final class LiveIpvsTest {
  private static final LiveServer PLAIN = tcp("10.96.0.1", "rr", real(1, 0));

  private static LiveServer tcp(String address, String scheduler, Real... endpoints) {
    return new LiveServer(
        "tcp " + address + ":80",
        Optional.of(new Place(Protocol.TCP, Ip.of(address), 80)),
        Owner.PROXY,
        scheduler,
        0,
        List.of(endpoints),
        List.of());
  }

  private static Real real(int weight, int active) {
    return new Real("10.244.1.2:80", weight, "masquerade", active, 0, 0);
  }

  private static LiveServer of(Owner owner, String name) {
    return new LiveServer(name, Optional.empty(), owner, "wlc", 0, List.of(), List.of());
  }

  private static Migration move(String mode, LiveServer... servers) {
    return Migration.of(
        ProxyMode.NFTABLES,
        ConfigFile.read(
                "c.yaml",
                "apiVersion: kubeproxy.config.k8s.io/v1alpha1\n"
                    + "kind: KubeProxyConfiguration\nmode: "
                    + mode
                    + "\n")
            .written(),
        KubeVersion.CURRENT,
        Optional.empty(),
        Optional.of(
            new ThisNode(
                "6.1",
                Optional.empty(),
                List.of(),
                List.of(),
                new LiveIpvs(List.of(servers), Duration.ofMinutes(15)))));
  }

  private static List<String> items(Migration migration) {
    return migration.items().stream()
        .map(MigrationItem::id)
        .filter(id -> id.startsWith("this-node-ipvs"))
        .toList();
  }

  @Test
  void eachServerSaysWhatChanges() {
    assertThat(PLAIN.changes()).isEmpty();
    assertThat(tcp("10.96.0.1", "rr", real(1, 2)).changes()).containsExactly("2 connections drain");
    assertThat(tcp("10.96.0.1", "rr", real(0, 1)).changes())
        .containsExactly("1 connection drains", "1 endpoint is ending");
    assertThat(tcp("10.96.0.1", "mh", real(7, 0)).changes())
        .containsExactly(
            "clients no longer return to the same endpoint", "equal chances instead of weights");
    assertThat(tcp("10.96.0.1", "lc").changes()).containsExactly("random choice instead of lc");
    assertThat(of(Owner.OTHER, "mark 7").changes()).containsExactly("stays: another program's");
    assertThat(of(Owner.EXCLUDED, "tcp 10.9.0.1:80").changes())
        .containsExactly("stays: in excludeCIDRs");
  }

  @Test
  void itemsFollowFromWhatTheNodeHas() {
    assertThat(items(move("ipvs"))).isEmpty();
    assertThat(items(move("ipvs", PLAIN))).containsExactly("this-node-ipvs");
    assertThat(items(move("iptables", PLAIN)))
        .containsExactly("this-node-ipvs-mode", "this-node-ipvs");
    assertThat(
            items(
                move(
                    "ipvs",
                    tcp("10.96.0.1", "sh", real(3, 0)),
                    tcp("10.96.0.2", "rr", new Real("10.0.0.1:80", 1, "tunnel", 0, 0, 0)),
                    of(Owner.OTHER, "mark 7"))))
        .containsExactly(
            "this-node-ipvs-hashing",
            "this-node-ipvs-weights",
            "this-node-ipvs-methods",
            "this-node-ipvs-others",
            "this-node-ipvs");
  }

  @Test
  void theTableFitsIntoATerminalAndThousandsOfPlainServersIntoALine() {
    LiveServer[] servers = new LiveServer[1002];
    Arrays.fill(servers, PLAIN);
    servers[0] = tcp("fd00:1111:2222:3333:4444:5555:6666:7777", "lblcr", real(3, 1_000_000));
    servers[1] = of(Owner.OTHER, "mark 7");
    MigrationReport report =
        new MigrationReport(move("ipvs", servers), ConfigVersion.latest(), Optional.empty());
    PrintWriter nowhere = new PrintWriter(new StringWriter());
    List<String> lines = report.lines(Terminal.screen(nowhere, nowhere, 80));
    int start = lines.indexOf("IPVS ON THIS NODE");
    int end = lines.indexOf("THE NEW CONFIGURATION");
    assertThat(lines.subList(start, end))
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80))
        .hasSizeLessThan(14)
        .anySatisfy(line -> assertThat(line).startsWith("1000 more virtual servers have no"))
        .anySatisfy(line -> assertThat(line).startsWith("mark 7"));
    assertThat(Tree.of(report).get("ipvs"))
        .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
        .hasSize(1002);
  }
}
