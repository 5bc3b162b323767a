package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.Certificates;
import dev.portolan.testbase.RepositoryRoot;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Kubectl;
import dev.portolan.testkit.peers.NeedsBuilt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The accounts of the manifests have the rights that the program uses, all of them and no other:
 * the API server notes every request.
 */
@NeedsPeers(tools = "unshare")
@NeedsBuilt({"etcd", "kube-apiserver", "kubectl"})
final class RightsTest {
  private static final Path OVERLAYS = RepositoryRoot.resolve("deploy/kustomize/overlays");

  private static final String BRAIN = "deployment/portolan-brain";

  /** Shows a program these hosts only, and no setting of the machine about them; then starts it. */
  private static final String HOSTS =
      """
      hosts=$1
      shift
      mount -t tmpfs none /mnt
      printf '%s' "$hosts" >/mnt/hosts
      : >/mnt/host.conf
      mount --bind /mnt/hosts /etc/hosts
      [ ! -e /etc/host.conf ] || mount --bind /mnt/host.conf /etc/host.conf
      exec "$@"
      """;

  /** The rights in a role, one per line. */
  private static final String RULES =
      """
      {{range .rules}}{{$rule := .}}{{range .apiGroups}}{{$group := .}}{{range $rule.resources}}\
      {{$resource := .}}{{range $rule.verbs}}{{$group}}/{{$resource}} {{.}}
      {{end}}{{end}}{{end}}{{end}}\
      """;

  @TempDir private static Path folder;

  @AutoClose private static ControlPlane plane;

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
            "--audit-log-path=" + folder.resolve("audit.log"));
    new ApiWriter(plane)
        .apply(
            ClusterDelta.builder()
                .set(RandomServices.node("node-0", 1))
                .set(RandomServices.node("n1", 2))
                .build());
  }

  @Test
  void theDaemonUsesAllItsRightsAndNoOther() throws Exception {
    apply("own", "node-taint");
    Pod pod = new Pod("node-0", files("own", "portolan"));
    Kubectl.run(plane, "taint", "node", "node-0", "portolan.dev/not-ready=:NoSchedule");
    try (Host host = new Host(plane, "node-0", 1);
        Daemon daemon =
            Daemon.start(host.inside(), "kube-proxy", pod.words("daemonset/portolan"))) {
      daemon.awaitSync();
      daemon.awaitLog("Removed the taint from the node", 1);
      awaitAllUsed("portolan", daemon);
      assertThat(host.management("/metrics").status()).isEqualTo(200);
      assertThatThrownBy(() -> host.get("172.16.0.1", 10249, "/metrics"))
          .isInstanceOf(ConnectException.class);
      assertThat(daemon.stop()).as(daemon::log).isZero();
    }
  }

  /** The node finds the brain at the second address of three, with a certificate of its own. */
  @Test
  void aBrainUsesAllItsRightsAndFeedsANodeThatHasNone() throws Exception {
    apply("brain", "certificate-per-node");
    Pod brainPod = new Pod("n1", files("brain", "portolan-brain", "brain"));
    Pod nodePod = new Pod("n1", files("brain", "portolan", "node"));
    try (Host host = new Host(plane, "n1", 2);
        Daemon brain = Daemon.start(host.inside(), "brain", brainPod.words(BRAIN))) {
      host.namespace().ip("address", "add", "192.0.2.12", "dev", "lo");
      brain.awaitLog("synced:", 1);
      List<String> place = new ArrayList<>(host.inside());
      place.addAll(List.of("unshare", "--mount", "sh", "-ec", HOSTS, "sh", nodePod.hosts(), "env"));
      place.addAll(nodePod.environment());
      try (Daemon node = Daemon.start(place, "kube-proxy", nodePod.words("daemonset/portolan"))) {
        node.awaitSync();
        assertThat(host.healthz().status()).isEqualTo(200);
        assertThat(node.log()).doesNotContain("clusterCIDR", "have no effect");
        assertThat(brain.log()).contains("system:node:n1");
      }
      awaitAllUsed("portolan-brain", brain);
    }
    assertThat(kubectl("get", "daemonset/portolan", "--output=yaml"))
        .contains("automountServiceAccountToken: false")
        .doesNotContain("kubeconfig", "serviceAccountToken:");
    assertThat(Kubectl.kustomize(OVERLAYS.resolve("brain")).split("(?m)^---$", -1))
        .filteredOn(object -> object.contains("subjects:"))
        .singleElement()
        .asString()
        .endsWith("  name: portolan-brain\n  namespace: kube-system\n");
  }

  private static void awaitAllUsed(String account, Daemon daemon) throws InterruptedException {
    Await.until(
        () -> "used: " + used(account) + "\ngranted: " + granted(account) + "\n" + daemon.log(),
        () -> used(account).equals(granted(account)));
  }

  /** Applies an overlay with a component. */
  private static void apply(String overlay, String component) throws IOException {
    Path own = Files.createDirectory(folder.resolve("kustomize-" + overlay));
    Path manifests = own.toRealPath().relativize(OVERLAYS.toRealPath().getParent());
    Files.writeString(
        own.resolve("kustomization.yaml"),
        """
        resources: [%1$s/overlays/%2$s]
        components: [%1$s/components/%3$s]
        """
            .formatted(manifests, overlay, component));
    Kubectl.runWithInput(plane, Kubectl.kustomize(own), "apply", "--filename=-");
  }

  private static String kubectl(String... words) {
    return Kubectl.run(
        plane,
        Stream.concat(Stream.of("--namespace=kube-system"), Stream.of(words))
            .toArray(String[]::new));
  }

  /**
   * The files that a pod of an overlay sees, for the API server of the test: configuration, a token
   * of its account, and a certificate.
   */
  private static Path files(String overlay, String account, String... certificate)
      throws Exception {
    Path files = Files.createDirectory(folder.resolve(overlay + "-" + account));
    Path token =
        Files.writeString(files.resolve("token"), kubectl("create", "token", account).strip());
    try (Stream<Path> configuration = Files.list(OVERLAYS.resolve(overlay))) {
      for (Path file : configuration.filter(one -> one.toString().endsWith(".conf")).toList()) {
        Files.writeString(
            files.resolve(file.getFileName()),
            Files.readString(file)
                    .replace("https://api-server.example:6443", plane.address().toString())
                    .replaceAll("/var/run/secrets/\\S+/ca.crt", plane.certificate().toString())
                    .replaceAll("/var/run/secrets/\\S+/token", token.toString())
                    .replace("/etc/portolan", files.toString())
                // A network namespace has no right to this.
                + (file.endsWith("config.conf") ? "conntrack: {maxPerCore: 0}\n" : ""));
      }
    }
    for (String alias : certificate) {
      Certificates made = Certificates.made();
      Files.write(files.resolve("tls.key"), made.key(alias));
      Files.write(files.resolve("tls.crt"), made.certificate(alias));
      Files.write(files.resolve("ca.crt"), made.certificate("authority"));
    }
    return files;
  }

  /**
   * A pod as its template in the server says, on a node and with its files in a folder.
   *
   * @param files what is in /etc/portolan and the other folders that are mounted
   */
  private record Pod(String node, Path files) {
    /** The words after the command. */
    List<String> words(String object) {
      return Stream.of(
              kubectl(
                      "get",
                      object,
                      "--output=jsonpath={.spec.template.spec.containers[0].args[*]}")
                  .split(" ", -1))
          .map(word ->
              word.replaceAll("/(etc|run)/portolan(-tls)?", files.toString())
                  .replace("$(NODE_NAME)", node))
          .toList();
    }

    /** The variables with a value. */
    List<String> environment() {
      return kubectl(
              "get",
              "daemonset/portolan",
              "--output=go-template={{range (index .spec.template.spec.containers 0).env}}"
                  + "{{if .value}}{{.name}}={{.value}}\n{{end}}{{end}}")
          .lines()
          .toList();
    }

    /** What is in /etc/hosts. */
    String hosts() {
      return kubectl(
          "get",
          "daemonset/portolan",
          "--output=go-template={{range .spec.template.spec.hostAliases}}"
              + "{{.ip}}{{range .hostnames}} {{.}}{{end}}\n{{end}}");
    }
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
