package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API server goes away, comes back, forgets, and refuses: the rules stay and catch up. */
@NeedsPeers
final class ApiServerTroubleTest extends DaemonOnNode {
  private static final Pattern AGE = Pattern.compile("\"secondsSinceApiServer\": ?(\\d+)");
  private static final Pattern LISTS =
      Pattern.compile("(?m)^portolan_watch_lists_total\\{resource=\"services\"\\} (\\S+)$");
  private static final Pattern WATCHES =
      Pattern.compile("(?m)^portolan_watch_opened_total\\{resource=\"services\"\\} (\\S+)$");
  private static final Pattern SILENCE =
      Pattern.compile("(?m)^portolan_api_server_silent_seconds (\\S+)$");
  private static final Pattern TOKEN = Pattern.compile("\"token\": ?\"([^\"]+)\"");

  private static final RandomServices SERVICES = new RandomServices(6);

  @TempDir private Path folder;
  @TempDir private Path lists;
  private FreshRules fresh;

  @BeforeEach
  void prepare() throws Exception {
    writer.apply(SERVICES.create(0, 60));
    fresh = FreshRules.of(plane, lists);
  }

  @Test
  void whileTheServerIsAwayTheRulesStay() throws Exception {
    try (Daemon daemon = host.start()) {
      host.awaitFresh(daemon, fresh);
      String rules = host.ruleset();
      plane.stopServer();
      long stopped = System.nanoTime();
      long age = age();
      Await.until(daemon::log, () -> age() > age + 1);
      assertThat(metric(SILENCE)).isLessThan(30);
      daemon.awaitLog("no sign of life from ", 1);
      assertThat(metric(SILENCE)).isGreaterThanOrEqualTo(30);
      assertThat(host.healthz().body()).containsPattern("\"secondsApiServerSilent\":[3-9]");
      assertThat(host.healthz().status()).isEqualTo(200);
      assertThat(host.ruleset()).isEqualTo(rules);

      plane.startServer();
      daemon.awaitLog("gives signs of life again, after ", 1);
      Await.until(daemon::log, () -> metric(SILENCE) == 0);
      writer.apply(SERVICES.churn(30, 10));
      host.awaitFresh(daemon, fresh);
      Await.until(daemon::log, () -> age() < (System.nanoTime() - stopped) / 1_000_000_000);
    }
  }

  @Test
  void aConnectionWhosePacketsVanishIsReplaced() throws Exception {
    try (Daemon daemon = host.start()) {
      host.awaitFresh(daemon, fresh);
      Await.until(daemon::log, () -> watches() == 1);
      host.losePackets();
      host.shutDoor();
      writer.apply(SERVICES.churn(20, 0));
      List<String> wanted = fresh.compute("node-0");
      // The kernel gives the connection up, which says when the last sign of life was at the
      // latest.
      Await.until(daemon::log, () -> metric(SILENCE) > 0);
      assertThat(metric(SILENCE)).isGreaterThan(20);
      assertThat(FreshRules.lines(host.ruleset()).containsAll(wanted)).isFalse();
      host.openDoor();
      Await.until(daemon::log, () -> FreshRules.lines(host.ruleset()).containsAll(wanted));
      assertThat(watches()).isEqualTo(2);
      assertThat(host.healthz().status()).isEqualTo(200);
    }
  }

  /** How long ago the daemon heard of the API server, as a healthy daemon says. */
  private long age() throws Exception {
    Host.Answer answer = host.healthz();
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    Matcher matcher = AGE.matcher(answer.body());
    assertThat(matcher.find()).as(answer.body()).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  @Test
  void aServerThatCannotBeReachedIsWaitedFor() throws Exception {
    host.shutDoor();
    try (Daemon daemon = host.start()) {
      daemon.awaitLog("; retrying, ", 1);
      assertThat(host.ruleset()).isEmpty();
      assertThat(daemon.stop()).as(daemon::log).isZero();
    }
    try (Daemon daemon = host.start()) {
      daemon.awaitLog("; retrying, ", 1);
      host.openDoor();
      host.awaitFresh(daemon, fresh);
    }
  }

  @Test
  void changesAroundARestartArriveAll() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (Daemon daemon = host.start();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      daemon.awaitSync();
      Future<?> changes = threads.submit(() -> scaleUntil(over));
      try {
        plane.startServer();
      } finally {
        over.set(true);
      }
      changes.get();
      host.awaitFresh(daemon, fresh);
    }
  }

  /** Changes endpoints one after the other; what the server does not take is lost. */
  private static void scaleUntil(AtomicBoolean over) {
    while (!over.get()) {
      try {
        writer.apply(SERVICES.churn(1, 0));
      } catch (RuntimeException e) {
        // The server is away just now.
      }
    }
  }

  @Test
  void whatWasDeletedBehindAForgottenHistoryIsGone() throws Exception {
    try (Daemon daemon = host.start()) {
      host.awaitFresh(daemon, fresh);
      double before = lists();
      host.shutDoor();
      writer.apply(SERVICES.churn(10, 20));
      plane.compact();
      plane.startServer();
      host.openDoor();
      host.awaitFresh(daemon, fresh);
      assertThat(lists()).isEqualTo(before + 1);
    }
  }

  /** How often all services were read. */
  private double lists() throws Exception {
    return metric(LISTS);
  }

  /** How often a watch of services was opened. */
  private double watches() throws Exception {
    return metric(WATCHES);
  }

  private double metric(Pattern pattern) throws Exception {
    Matcher matcher = pattern.matcher(host.management("/metrics").body());
    assertThat(matcher.find()).isTrue();
    return Double.parseDouble(matcher.group(1));
  }

  @Test
  void aTokenThatIsRefusedIsReplaced() throws Exception {
    String account = "/api/v1/namespaces/kube-system/serviceaccounts";
    plane.request(
        "POST",
        account,
        "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"proxy\"}}");
    plane.request(
        "POST",
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
         "metadata": {"name": "rotating-proxy"},
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
                     "name": "system:node-proxier"},
         "subjects": [{"kind": "ServiceAccount", "namespace": "kube-system", "name": "proxy"}]}
        """);
    Path file = folder.resolve("token");
    Files.writeString(file, token("first"));
    Path kubeconfig = plane.kubeconfig("rotating.conf", "tokenFile: " + file);
    try (Daemon daemon = host.start("--kubeconfig=" + kubeconfig)) {
      host.awaitFresh(daemon, fresh);
      plane.request("DELETE", "/api/v1/namespaces/kube-system/secrets/first", "");
      // The server caches a token for some seconds; after a restart it checks again.
      plane.startServer();
      daemon.awaitLog("401", 1);

      Files.writeString(file, token("second"));
      writer.apply(SERVICES.churn(20, 5));
      host.awaitFresh(daemon, fresh);
    }
  }

  /** A token that is good for as long as a Secret exists. */
  private static String token(String secret) {
    plane.request(
        "POST",
        "/api/v1/namespaces/kube-system/secrets",
        "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"" + secret + "\"}}");
    String answer =
        plane.request(
            "POST",
            "/api/v1/namespaces/kube-system/serviceaccounts/proxy/token",
            """
            {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
             "spec": {"boundObjectRef": {"apiVersion": "v1", "kind": "Secret", "name": "%s"}}}
            """
                .formatted(secret));
    Matcher matcher = TOKEN.matcher(answer);
    assertThat(matcher.find()).as(answer).isTrue();
    return matcher.group(1);
  }
}
