package dev.portolan.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Kubectl;
import dev.portolan.testkit.peers.NeedsBuilt;
import dev.portolan.testkit.peers.Peers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A real API server takes every object, of the chart and of the overlays, without a warning. */
@NeedsBuilt({"etcd", "kube-apiserver", "kubectl", "helm"})
final class ApiServerTest {
  private static final Path KUSTOMIZE = Path.of("deploy/kustomize").toAbsolutePath();
  private static final Path OTHERS = Path.of("workshop/tests/house/src/test/resources");

  @AutoClose private static ControlPlane plane;

  @TempDir private Path folder;

  @BeforeAll
  static void startServer() {
    plane = new ControlPlane("--allow-privileged=true");
    Kubectl.run(plane, "apply", "--filename=" + OTHERS.resolve("others-kinds.yaml"));
    Kubectl.run(
        plane,
        "wait",
        "--for=condition=Established",
        "--timeout=60s",
        "crd/podmonitors.monitoring.coreos.com",
        "crd/issuers.cert-manager.io",
        "crd/certificates.cert-manager.io");
    createKubeadms();
  }

  private static void createKubeadms() {
    Kubectl.run(plane, "create", "--filename=" + OTHERS.resolve("kubeadm.yaml"));
  }

  /** The objects as the server would store them; an unknown field is an error. */
  private static String accepted(String objects) {
    return Kubectl.runWithInput(
        plane,
        objects,
        "apply",
        "--dry-run=server",
        "--validate=strict",
        "--warnings-as-errors",
        "--output=yaml",
        "--filename=-");
  }

  @ParameterizedTest
  @MethodSource("dev.portolan.deploy.Chart#all")
  void theChart(Chart.Values values) {
    String objects = Chart.template(values.set());
    assertThat(Manifest.objects(accepted(objects)).keySet())
        .isEqualTo(Manifest.objects(objects).keySet());
  }

  /** An overlay with each component that is for it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "own ebpf surge node-taint balancing metrics-service pod-monitor",
        "brain ebpf surge cert-manager certificate-per-node balancing-brain metrics-service"
            + " pod-monitor"
            + " pod-monitor-brain"
      })
  void anOverlayWithItsComponents(String words) throws IOException {
    List<String> names = List.of(words.split(" "));
    List<String> lines = new ArrayList<>(List.of("namespace: kube-system", "resources:"));
    lines.add("- " + folder.relativize(KUSTOMIZE.resolve("overlays").resolve(names.getFirst())));
    lines.add("components:");
    names.stream()
        .skip(1)
        .forEach(name ->
            lines.add("- " + folder.relativize(KUSTOMIZE.resolve("components").resolve(name))));
    Files.write(folder.resolve("kustomization.yaml"), lines);
    String objects = Kubectl.kustomize(folder);
    assertThat(Manifest.objects(accepted(objects)).keySet())
        .isEqualTo(Manifest.objects(objects).keySet());
  }

  @Test
  void everyComponentIsTested() throws IOException {
    try (Stream<Path> components = Files.list(KUSTOMIZE.resolve("components"))) {
      assertThat(components.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "ebpf",
              "surge",
              "node-taint",
              "balancing",
              "balancing-brain",
              "cert-manager",
              "certificate-per-node",
              "metrics-service",
              "pod-monitor",
              "pod-monitor-brain");
    }
  }

  /**
   * The chart and the overlay of a shape are the same thing, except for labels and the ConfigMaps'
   * text.
   */
  @ParameterizedTest
  @MethodSource("dev.portolan.deploy.Chart#shapes")
  void chartAndOverlayAgree(Chart.Values shape) {
    String overlay = Kubectl.kustomize(KUSTOMIZE.resolve("overlays").resolve(shape.name()));
    assertThat(comparable(accepted(Chart.template(shape.set()))))
        .isEqualTo(comparable(accepted(overlay)));
  }

  private static SortedMap<String, SortedSet<String>> comparable(String objects) {
    SortedMap<String, SortedSet<String>> comparable = new TreeMap<>();
    Manifest.objects(objects)
        .forEach((name, lines) -> {
          lines.removeIf(line ->
              line.matches(
                  "(?s)\\.metadata\\.(annotations|labels|uid|resourceVersion|generation"
                      + "|creationTimestamp).*"
                      + "|\\.data\\..*|.*checksum/.*|\\.status.*"));
          SortedSet<String> plain = new TreeSet<>();
          lines.forEach(line -> plain.add(line.replaceAll("(portolan-brain)-[a-z0-9]{10}", "$1")));
          comparable.put(name.replaceAll("-[a-z0-9]{10}$", ""), plain);
        });
    return comparable;
  }

  /**
   * kubeadm's own DaemonSet is in the server; what becomes of it has nothing of it that must not
   * stay.
   */
  @Test
  void aTakeoverOfKubeadmsDaemonSet() {
    String overlay = Kubectl.kustomize(KUSTOMIZE.resolve("overlays/takeover"));
    SortedSet<String> merged = Manifest.objects(accepted(overlay)).get("DaemonSet kube-proxy");
    String container = ".spec.template.spec.containers[kube-proxy]";
    assertThat(merged)
        .contains(
            container + ".securityContext.privileged = false",
            container + ".securityContext.readOnlyRootFilesystem = true",
            container + ".securityContext.capabilities.add[0] = NET_ADMIN",
            container + ".securityContext.capabilities.add[1] = NET_RAW",
            container + ".command has /usr/local/bin/kube-proxy",
            container + ".command has --config=/var/lib/kube-proxy/config.conf",
            container + ".command has --api-listen=unix:///run/portolan/node.sock")
        .doesNotContain(container + ".securityContext.privileged = true");
    assertThat(merged.stream().filter(line -> line.matches(".*\\.volumes\\[.*\\].name.*")))
        .hasSize(5);
  }

  /** Installs each shape as a user does; the notes fit on a screen. */
  @ParameterizedTest
  @MethodSource("dev.portolan.deploy.Chart#shapes")
  void helmInstallsItAndSaysHowToCheck(Chart.Values shape) {
    String[] place = {"--namespace=kube-system", "--kubeconfig=" + plane.adminKubeconfig()};
    String said =
        Chart.helm(
            "install", shape.set(), place[0], place[1], "--generate-name", "--take-ownership");
    try {
      String notes = said.substring(said.indexOf("NOTES:"));
      assertThat(notes).contains("rollout status ds/", "logs ds/");
      assertThat(notes.contains("Only a node itself can read its metrics."))
          .isEqualTo(!shape.name().equals("takeover"));
      assertThat(notes.lines()).as(notes).allMatch(line -> line.length() <= 80);
    } finally {
      Peers.run(
          "helm",
          "",
          List.of("uninstall", place[0], place[1], said.replaceFirst("(?s)NAME: (\\S+).*", "$1")));
      if (shape.name().equals("takeover")) {
        createKubeadms();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"metrics.service=true", "metrics.podMonitor.enabled=true"})
  void helmSaysWhoCanReadMetricsThatAreOpen(String open) {
    List<String> set = new ArrayList<>(Chart.shapes().getFirst().set());
    set.add(open);
    String notes =
        Chart.helm(
            "install",
            set,
            "--namespace=kube-system",
            "--kubeconfig=" + plane.adminKubeconfig(),
            "--generate-name",
            "--dry-run=client");
    assertThat(notes)
        .contains("Every client that reaches port 10249 of a node can read its metrics")
        .doesNotContain("Only a node itself");
  }

  @Test
  void settingTheImageIsATakeoverToo() {
    assertThat(
            Kubectl.run(
                plane,
                "--namespace=kube-system",
                "set",
                "image",
                "ds/kube-proxy",
                "kube-proxy=portolan:0.3.0-iptables",
                "--dry-run=server",
                "--output=yaml"))
        .contains("image: portolan:0.3.0-iptables", "- /usr/local/bin/kube-proxy");
  }
}
