package dev.portolan.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The images, unpacked and run as a container runtime does, without a registry. */
@AtNight
@NeedsKernel(tools = {"ip", "nft", "iptables-legacy", "capsh", "unshare", "strip"})
final class ImageTest {
  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
  private static final Path WORK = ROOT.resolve("workshop/packaging/target/test");
  private static final Path PLAIN = WORK.resolve("plain");
  private static final Path IPTABLES = WORK.resolve("iptables");
  private static final Project PROJECT = new Project(ROOT);
  private static final Pattern DIGEST = Pattern.compile("sha256:([0-9a-f]{64})");
  private static final String NET_ADMIN = "cap_net_admin";
  private static final String SHOP = "mount --bind " + ROOT.resolve("examples/shop") + " $root/tmp";
  private static final List<String> RUN_ONCE =
      List.of("/usr/local/bin/portolan", "run", "--once", "--from=file:/tmp", "--node=worker-1");

  private static List<Images.Written> images = List.of();

  @BeforeAll
  static void build() throws IOException {
    FileTree.delete(WORK);
    InstallationTree tree = new InstallationTree(WORK.resolve("tree"));
    tree.build(PROJECT);
    images = new Images(PROJECT, tree).write(List.of(Compression.GZIP), WORK.resolve("dist"));
    unpack(images.get(0).archive(), PLAIN);
    unpack(images.get(1).archive(), IPTABLES);
  }

  @Test
  void everyLayerButTheCacheIsTheSameInEveryBuild() throws IOException {
    InstallationTree again = new InstallationTree(WORK.resolve("again"));
    again.buildUntrained(PROJECT);
    ImageLayers layers = new ImageLayers(again);
    Layer libc = layers.libc();
    List<String> sums = new ArrayList<>();
    for (Layer layer :
        List.of(libc, layers.iptables(libc), layers.runtime(), layers.libraries(), layers.ours())) {
      sums.add(LayerFiles.of(layer, PROJECT.time(), List.of(), WORK).tar().sha256());
    }
    List<String> first =
        images.get(1).layers().stream().map(layer -> layer.tar().sha256()).toList();
    assertThat(sums).isEqualTo(first.subList(0, sums.size())).hasSize(first.size() - 1);
  }

  @Test
  void itHasTheLicencesOfItsLibraries() throws IOException {
    Path home = PLAIN.resolve(InstallationTree.HOME);
    String text = Files.readString(home.resolve("THIRD-PARTY"));
    try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
      assertThat(jars.map(jar -> jar.getFileName().toString()))
          .allMatch(jar -> jar.startsWith("portolan-") || text.contains(jar));
    }
    assertThat(text).contains("==== protobuf-license", "==== netty-notice", "==== grpc-notice");
  }

  @Test
  void itIsSmall() throws IOException {
    for (Images.Written image : images) {
      new Images(PROJECT, new InstallationTree(WORK.resolve("tree"))).check(image);
    }
  }

  @Test
  void itProgramsNftablesReadOnlyWithOneCapabilityAndNoShell() {
    assertThat(PLAIN.resolve("bin")).doesNotExist();
    assertThat(
            container(
                PLAIN, NET_ADMIN, Map.of("BEFORE", SHOP, "AFTER", "nft list ruleset"), RUN_ONCE))
        .contains("9 services set")
        .contains("10.96.20.10");
  }

  @Test
  void itStartsWithItsCache() throws IOException {
    // The JVM does not start if it cannot use the cache.
    Map<String, String> strict = Map.of("JVM", "-XX:AOTMode=on");
    assertThat(
            container(PLAIN, NET_ADMIN, strict, List.of("/usr/local/bin/kube-proxy", "--version")))
        .contains("Kubernetes v1.")
        .contains(PROJECT.version());
    assertThat(
            container(PLAIN, NET_ADMIN, strict, List.of("/usr/local/bin/portolan-brain", "--help")))
        .contains("portolan brain");
  }

  @Test
  void kubeadmsCommandLineFollowsAnApiServerByItsName() throws IOException {
    Path config = Files.createDirectories(WORK.resolve("config"));
    Files.writeString(
        config.resolve("config.conf"),
        """
        apiVersion: kubeproxy.config.k8s.io/v1alpha1
        kind: KubeProxyConfiguration
        mode: nftables
        clusterCIDR: 10.244.0.0/16
        clientConnection:
          kubeconfig: /var/lib/kube-proxy/kubeconfig.conf
        conntrack:
          maxPerCore: 0
          tcpEstablishedTimeout: 0s
          tcpCloseWaitTimeout: 0s
        """);
    Files.writeString(config.resolve("hosts"), "127.0.0.1 localhost\n");
    String server =
        """
        java=%s; config=%s
        coproc "$java" -cp '%s' dev.portolan.training.TrainingServer "$config"
        read -r _ <&"${COPROC[0]}"
        sed "s:127.0.0.1:localhost:;s:$config:/var/lib/kube-proxy:" "$config/kubeconfig" >"$config/kubeconfig.conf"
        mount --bind "$config" "$root/var/lib/kube-proxy"
        mount --bind "$config/hosts" "$root/etc/hosts"
        """
            .formatted(
                Path.of(System.getProperty("java.home"), "bin/java"),
                config,
                System.getProperty("java.class.path"));
    String untilItIsThere =
        """
        for ((i = 0; i < 600; i++)); do
          [[ $(nft list ruleset) != *10.96.0.10* ]] || break
          sleep 0.1
        done
        nft list ruleset
        """;
    assertThat(
            container(
                PLAIN,
                NET_ADMIN,
                Map.of("BEFORE", server, "BESIDE", untilItIsThere),
                List.of(
                    "/usr/local/bin/kube-proxy",
                    "--config=/var/lib/kube-proxy/config.conf",
                    "--hostname-override=training")))
        .contains("https://localhost:")
        .contains("10.96.0.10");
  }

  @Test
  void theVariantProgramsBothImplementationsOfIptables() {
    List<String> line = new ArrayList<>(RUN_ONCE);
    line.add("--backend=iptables");
    assertThat(
            container(
                IPTABLES,
                NET_ADMIN,
                Map.of("BEFORE", SHOP, "AFTER", "iptables-nft-save; ip6tables-nft-save"),
                line))
        .contains("(nf_tables)", "KUBE-SVC-", "shop/web:http");
    String legacy =
        SHOP
            + """

            mount -t tmpfs tmpfs "$root/run"
            touch "$root/run/xtables.lock"
            iptables-legacy -t mangle -N KUBE-IPTABLES-HINT
            """;
    assertThat(
            container(
                IPTABLES,
                NET_ADMIN + ",cap_net_raw",
                Map.of("BEFORE", legacy, "AFTER", "iptables-legacy-save"),
                line))
        .contains("(legacy)", "KUBE-SVC-", "shop/web:http");
  }

  /** Runs a command in an unpacked image; returns what was printed. */
  private static String container(
      Path image, String capabilities, Map<String, String> more, List<String> line) {
    List<String> words = new ArrayList<>(List.of("env"));
    more.forEach((name, value) -> words.add(name + "=" + value));
    words.addAll(
        List.of("bash", "src/test/resources/container.sh", image.toString(), capabilities));
    words.addAll(line);
    Path log = WORK.resolve("container.log");
    try {
      Subprocess.run(words, log);
      return Files.readString(log);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (BuildFailure e) {
      throw new AssertionError(content(log), e);
    }
  }

  private static String content(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Unpacks an archive as a container runtime does, and checks every digest on the way. */
  private static void unpack(Path archive, Path to) throws IOException {
    Path oci = Path.of(to + ".oci");
    var _ = Subprocess.output("rm", "-rf", to.toString(), oci.toString());
    Files.createDirectories(to);
    Files.createDirectories(oci);
    var _ = Subprocess.output("tar", "-C", oci.toString(), "-xf", archive.toString());
    Path manifest =
        digests(oci.resolve("index.json")).map(name -> blob(oci, name)).findFirst().orElseThrow();
    List<Path> blobs = digests(manifest).map(name -> blob(oci, name)).toList();
    List<String> layers = digests(blobs.getFirst()).toList();
    assertThat(layers).hasSize(blobs.size() - 1);
    for (int i = 0; i < layers.size(); i++) {
      Path tar = oci.resolve("layer.tar");
      Subprocess.filter(blobs.get(i + 1), tar, List.of("gzip", "-dc"));
      assertThat(Blob.of(tar).sha256()).isEqualTo(layers.get(i));
      var _ = Subprocess.output("tar", "-C", to.toString(), "-xpf", tar.toString());
    }
  }

  private static Stream<String> digests(Path json) throws IOException {
    return DIGEST.matcher(Files.readString(json)).results().map(found -> found.group(1));
  }

  private static Path blob(Path oci, String name) {
    Path file = oci.resolve("blobs/sha256").resolve(name);
    try {
      assertThat(Blob.of(file).sha256()).isEqualTo(name);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return file;
  }
}
