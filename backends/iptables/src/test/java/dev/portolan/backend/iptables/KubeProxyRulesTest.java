package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeSettings.NodePortChoice;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.IpFamily;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.netlink.lab.NeedsKernel;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Vigil;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Doorway;
import dev.portolan.testkit.peers.Peers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The real kube-proxy in mode iptables programs one node; then we take over in place. The rules in
 * the kernel must be the same before and after, and traffic must not be disturbed.
 */
@NeedsKernel(tools = {"ip", "iptables-nft-restore", "iptables-legacy-restore"})
class KubeProxyRulesTest {
  private static final int ENDPOINTS_IN_ZONE = 2;
  private static final int TRIES = 600;

  @TempDir static Path folder;
  private static ControlPlane plane;

  @BeforeAll
  static void start() {
    for (String peer : List.of("etcd", "kube-apiserver", "kube-proxy")) {
      if (Peers.find(peer).isEmpty()) {
        System.err.println(
            "SKIPPED: KubeProxyRulesTest cannot run: no " + peer + "; ./dev peers builds them");
        Assumptions.abort("there is no " + peer);
      }
    }
    plane = new ControlPlane();
    new ApiWriter(plane).apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
  }

  @AfterAll
  static void end() {
    if (plane != null) {
      plane.close();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void ourRulesAreThoseOfKubeProxyAndNobodyNoticesTheChange(Variant variant) throws Exception {
    NodeSettings settings = NodeSettings.DEFAULT.with(NodePortChoice.parse(List.of("all")));
    try (Lab lab = Lab.open();
        Doorway door = new Doorway(new NetworkNamespace(lab.node().path()), plane.port())) {
      assertThat(door).isNotNull();
      Map<IpFamily, Saved> theirs = letKubeProxyWrite(lab, variant);
      Vigil vigil = Vigil.over(lab, Vigil.usual());
      try (vigil;
          NodeUnderTest node =
              new NodeUnderTest(
                  lab.node(),
                  () -> new IptablesBackend(IptablesOptions.DEFAULT.with(variant)),
                  settings)) {
        node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
        vigil.close();
        assertThat(vigil.failures()).isEmpty();
        assertThat(vigil.probes()).isPositive();
        Map<IpFamily, Saved> ours = saved(lab, variant);
        lab.node().run(node.backend()::cleanup);
        node.restart();
        Map<IpFamily, Saved> anew = saved(lab, variant);
        for (IpFamily family : IpFamily.values()) {
          assertThat(minus(ours.get(family), theirs.get(family))).as("only ours").isEmpty();
          assertThat(minus(theirs.get(family), ours.get(family))).as("only theirs").isEmpty();
          assertThat(ours.get(family)).isEqualTo(theirs.get(family));
          assertThat(minus(anew.get(family), theirs.get(family))).as("anew, ours").isEmpty();
          assertThat(minus(theirs.get(family), anew.get(family))).as("anew, theirs").isEmpty();
        }
      }
    }
  }

  private static List<String> minus(Saved some, Saved others) {
    List<String> rest = new ArrayList<>(some.lines());
    rest.removeAll(others.lines());
    return rest;
  }

  /** Lets the real kube-proxy run until it has written everything; it leaves its rules behind. */
  private static Map<IpFamily, Saved> letKubeProxyWrite(Lab lab, Variant variant) throws Exception {
    Path programs = Files.createTempDirectory(folder, "programs");
    for (String name : List.of("iptables", "ip6tables")) {
      for (String verb : List.of("", "-save", "-restore")) {
        String original = name + (variant == Variant.NFT ? "-nft" : "-legacy") + verb;
        // All are one program, which looks at the name that it was called by.
        Files.copy(
            Path.of("/usr/sbin", original),
            programs.resolve(name + verb),
            StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    Path log = folder.resolve(variant + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(
                Stream.of(
                        "ip",
                        "netns",
                        "exec",
                        lab.node().name(),
                        Peers.program("kube-proxy").toString(),
                        "--proxy-mode=iptables",
                        "--kubeconfig=" + plane.kubeconfig(),
                        "--hostname-override=" + Actor.NODE_NAME,
                        "--detect-local-mode=NodeCIDR",
                        "--conntrack-max-per-core=0",
                        "--conntrack-tcp-timeout-established=0s",
                        "--conntrack-tcp-timeout-close-wait=0s")
                    .toList())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("PATH", programs + ":" + System.getenv("PATH"));
    Process process = builder.start();
    try {
      Map<IpFamily, Saved> before = Map.of();
      for (int i = 0; i < TRIES; i++) {
        assertThat(process.isAlive()).as(() -> read(log)).isTrue();
        Map<IpFamily, Saved> now = saved(lab, variant);
        if (isComplete(now) && now.equals(before)) {
          return now;
        }
        before = now;
        Thread.sleep(1_000);
      }
      throw new AssertionError("kube-proxy wrote nothing:\n" + read(log));
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  private static Map<IpFamily, Saved> saved(Lab lab, Variant variant) {
    Map<IpFamily, Saved> saved = new EnumMap<>(IpFamily.class);
    for (IpFamily family : IpFamily.values()) {
      saved.put(
          family,
          // Our mark is the one thing that tells our rules from theirs.
          Saved.read(
                  variant,
                  family,
                  program ->
                      lab.node()
                          .exec(program)
                          .replace("-m comment --comment \"" + RuleText.OUR_MARK + "\" ", ""))
              .without("default/kubernetes")
              // The API server gives it a port, which the table's cluster does not know.
              .without("lab/empty-local:\\w+ health check"));
    }
    return saved;
  }

  /** It writes rules for all zones first, if it hears of its own Node later than of services. */
  private static boolean isComplete(Map<IpFamily, Saved> saved) {
    return saved.values().stream()
        .allMatch(it ->
            it.tables().containsKey(Chains.MANGLE)
                && it.lines().stream().anyMatch(line -> line.contains("lab/web:tcp cluster IP"))
                && it.lines().stream().filter(line -> line.contains("lab/zoned:tcp -> ")).count()
                    == ENDPOINTS_IN_ZONE);
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
