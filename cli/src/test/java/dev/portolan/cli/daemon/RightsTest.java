package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Kubectl;
import dev.portolan.testkit.peers.NeedsBuilt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The accounts of the manifests have the rights that the program uses, all of them and no other:
 * the API server notes every request.
 */
@NeedsPeers
@NeedsBuilt({"etcd", "kube-apiserver", "kubectl"})
final class RightsTest {
  private static final Path OVERLAYS = Path.of("../deploy/kustomize/overlays");

  /** The rights in a role, one per line. */
  private static final String RULES =
      """
      {{range .rules}}{{$rule := .}}{{range .apiGroups}}{{$group := .}}{{range $rule.resources}}\
      {{$resource := .}}{{range $rule.verbs}}{{$group}}/{{$resource}} {{.}}
      {{end}}{{end}}{{end}}{{end}}\
      """;

  @TempDir private static Path folder;

  private static ControlPlane plane;

  @BeforeAll
  static void startServer() throws IOException {
    Path policy =
        Files.writeString(
            folder.resolve("policy.yaml"),
            """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived]
            rules:
            - level: Metadata
              userGroups: ["system:serviceaccounts"]
            - level: None
            """);
    plane =
        new ControlPlane(
            "--allow-privileged=true",
            "--audit-policy-file=" + policy,
            "--audit-log-path=" + folder.resolve("audit.log"),
            // As in a server that cannot send a list as a watch; where it can, nothing is listed.
            "--feature-gates=WatchList=false");
    new ApiWriter(plane)
        .apply(ClusterDelta.builder().set(RandomServices.node("node-0", 1)).build());
  }

  @AfterAll
  static void stopServer() {
    plane.close();
  }

  @Test
  void theDaemonUsesAllItsRightsAndNoOther() throws Exception {
    Path config = apply("own", "portolan");
    String[] flags = {
      "--config=" + config.resolve("config.conf"), "--hostname-override=node-0", "-v=2"
    };
    try (Host host = new Host(plane, "node-0", 1)) {
      try (Daemon daemon = host.startWith(flags)) {
        daemon.awaitSync();
        awaitAllUsed("portolan", daemon);
        // Where Prometheus comes from outside the node.
        assertThat(host.get("172.16.0.1", 10249, "/metrics").status()).isEqualTo(200);
        assertThat(daemon.stop()).as(daemon::log).isZero();
      }

      applyTaintComponent();
      assertThat(granted("portolan")).contains("/nodes patch");
      Kubectl.run(plane, "taint", "node", "node-0", "portolan.dev/not-ready=:NoSchedule");
      try (Daemon daemon =
          host.startWith(flags[0], flags[1], flags[2], "--node-taint=portolan.dev/not-ready")) {
        awaitAllUsed("portolan", daemon);
        daemon.awaitLog("Removed the taint from the node", 1);
      }
    }
  }

  @Test
  void aBrainUsesAllItsRightsAndNoOther() throws Exception {
    Path config = apply("brain", "portolan-brain");
    try (Host host = new Host(plane, "node-0", 1);
        Daemon brain =
            Daemon.start(
                host.inside(),
                "brain",
                List.of(
                    "--from=kube:" + config.resolve("kubeconfig.conf"),
                    "--config=" + config.resolve("brain.conf"),
                    "--listen=unix://" + folder.resolve("brain.sock")))) {
      brain.awaitLog("synced:", 1);
      awaitAllUsed("portolan-brain", brain);
    }
  }

  @Test
  void aNodeThatAsksABrainHasNone() {
    List<String> objects =
        List.of(Kubectl.kustomize(OVERLAYS.resolve("brain")).split("(?m)^---$", -1));
    assertThat(objects)
        .filteredOn(object -> object.contains("subjects:"))
        .hasSize(1)
        .allMatch(
            binding -> binding.endsWith("  name: portolan-brain\n  namespace: kube-system\n"));
    assertThat(objects)
        .filteredOn(object -> object.contains("kind: DaemonSet"))
        .singleElement()
        .asString()
        .contains("serviceAccountName: portolan\n", "automountServiceAccountToken: false")
        .doesNotContain("kubeconfig", "serviceAccountToken:");
  }

  private static void awaitAllUsed(String account, Daemon daemon) throws InterruptedException {
    Wait.until(
        () -> used(account).equals(granted(account)),
        () -> "used: " + used(account) + "\ngranted: " + granted(account) + "\n" + daemon.log());
  }

  private static void applyTaintComponent() throws IOException {
    Path own = Files.createDirectory(folder.resolve("with-taint"));
    Path manifests = own.toRealPath().relativize(OVERLAYS.toRealPath().getParent());
    Files.writeString(
        own.resolve("kustomization.yaml"),
        """
        resources: [%1$s/overlays/own]
        components: [%1$s/components/node-taint]
        """
            .formatted(manifests));
    String objects = Kubectl.kustomize(own);
    assertThat(objects).contains("--node-taint=portolan.dev/not-ready");
    Kubectl.runWithInput(plane, objects, "apply", "--filename=-");
  }

  /**
   * Applies an overlay, and writes the files that its pods would see, for the API server of the
   * test and with a token of {@code account}.
   */
  private static Path apply(String overlay, String account) throws IOException {
    Kubectl.runWithInput(
        plane, Kubectl.kustomize(OVERLAYS.resolve(overlay)), "apply", "--filename=-");
    Path config = Files.createDirectory(folder.resolve(overlay));
    Path token =
        Files.writeString(
            config.resolve("token"),
            Kubectl.run(plane, "--namespace=kube-system", "create", "token", account).strip());
    for (String name : List.of("config.conf", "brain.conf", "kubeconfig.conf")) {
      Path file = OVERLAYS.resolve(overlay).resolve(name);
      if (Files.exists(file)) {
        Files.writeString(
            config.resolve(name),
            Files.readString(file)
                    .replace("https://api-server.example:6443", plane.address().toString())
                    .replaceAll("/var/run/secrets/\\S+/ca.crt", plane.certificate().toString())
                    .replaceAll("/var/run/secrets/\\S+/token", token.toString())
                    .replace("/etc/portolan", config.toString())
                // A namespace has no right to these.
                + (name.equals("config.conf") ? "conntrack: {maxPerCore: 0}\n" : ""));
      }
    }
    return config;
  }

  private static SortedSet<String> granted(String role) {
    return new TreeSet<>(
        Kubectl.run(
                plane,
                "get",
                "clusterrole",
                role,
                "--ignore-not-found",
                "--output=go-template=" + RULES)
            .lines()
            .toList());
  }

  /** The requests of an account, in the words of a role; one that was refused says so. */
  private static SortedSet<String> used(String account) {
    SortedSet<String> used = new TreeSet<>();
    try {
      for (String line : Files.readAllLines(folder.resolve("audit.log"))) {
        if (line.contains("\"system:serviceaccount:kube-system:" + account + "\"")) {
          used.add(
              field(line, "apiGroup")
                  + "/"
                  + field(line, "resource")
                  + " "
                  + field(line, "verb")
                  + (line.contains("\"code\":403") ? " refused" : ""));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return used;
  }

  private static String field(String line, String name) {
    Matcher matcher = Pattern.compile('"' + name + "\":\"([^\"]*)\"").matcher(line);
    return matcher.find() ? matcher.group(1) : "";
  }
}
