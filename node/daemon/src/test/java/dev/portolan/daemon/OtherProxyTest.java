package dev.portolan.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.error.Failures;
import dev.portolan.telemetry.log.LogSettings;
import dev.portolan.telemetry.log.Logs;
import dev.portolan.telemetry.log.Streams;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kube-proxy beside this one: how it is found, and what is said and done about it. */
final class OtherProxyTest {
  private static final String SELF = "self";

  @TempDir private Path proc;
  private final Logs logs =
      Logs.open(
          new LogSettings(false, 0, List.of(), false, "0", Duration.ofSeconds(5)),
          new Streams(OutputStream.nullOutputStream(), OutputStream.nullOutputStream()));
  private final MetricRegistry registry = new MetricRegistry();
  private final List<String> events = new ArrayList<>();
  private Optional<String> found = Optional.empty();
  private boolean left;
  private int takeovers;

  private OtherProxy other() {
    ClusterEvents noted =
        new ClusterEvents() {
          @Override
          public void aboutNode(String type, String reason, String note) {
            events.add(type + " " + reason + " " + note);
          }

          @Override
          public void aboutService(
              NamespacedName service, String reason, String action, String note) {}
        };
    return new OtherProxy(() -> found, noted, registry, logs.of("test"));
  }

  private void look(OtherProxy other) {
    other.look(() -> left, () -> takeovers++);
  }

  private String metric() {
    return registry
        .text()
        .lines()
        .filter(line -> line.startsWith("portolan_other_proxy "))
        .findFirst()
        .orElse("");
  }

  @Test
  void whileItRunsItsRulesAreLetAloneAndAfterwardsRemoved() {
    OtherProxy other = other();
    found = Optional.of("kube-proxy (pid 7)");
    left = true;
    assertThat(other.isThere()).isTrue();
    look(other);
    look(other);
    assertThat(takeovers).isZero();
    assertThat(metric()).isEqualTo("portolan_other_proxy 1");
    assertThat(events)
        .singleElement()
        .asString()
        .startsWith("Warning OtherProxyRunning ")
        .contains("kube-proxy (pid 7). Stop one of them");
    found = Optional.empty();
    look(other);
    assertThat(takeovers).isEqualTo(1);
    assertThat(metric()).isEqualTo("portolan_other_proxy 0");
  }

  @Test
  void rulesThatComeBackAreSomebodys() {
    OtherProxy other = other();
    look(other);
    assertThat(takeovers).isZero();
    left = true;
    look(other);
    assertThat(takeovers).isEqualTo(1);
    assertThat(events).isEmpty();
    look(other);
    look(other);
    assertThat(takeovers).as("no fight").isEqualTo(1);
    assertThat(events).singleElement().asString().contains("whose rules come back");
    assertThat(metric()).isEqualTo("portolan_other_proxy 1");
  }

  /** The rules of a proxy that has ended stay until the keeper has removed them. */
  @Test
  void aRemovalThatFailsIsTriedAgainAndAccusesNobody() {
    OtherProxy other = other();
    left = true;
    int[] refusals = {3};
    Runnable takeOver =
        () -> {
          takeovers++;
          if (refusals[0]-- > 0) {
            throw new BackendException("the set is in use");
          }
          left = false;
        };
    List<String> notes = new ArrayList<>();
    Succession.Removals removals =
        new Succession.Removals(
            other, () -> left, takeOver, Optional::empty, () -> notes.add("done"));
    removals.onWork(() -> notes.add("woken"));
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(removals::advance).hasMessage("the set is in use");
      other.look(removals::hasLeft, removals::want);
    }
    assertThat(removals.advance()).isEmpty();
    other.look(removals::hasLeft, removals::want);
    assertThat(takeovers).isEqualTo(4);
    assertThat(notes).containsExactly("done");
    assertThat(events).isEmpty();

    found = Optional.of("kube-proxy (pid 7)");
    left = true;
    other.look(removals::hasLeft, removals::want);
    found = Optional.empty();
    other.look(removals::hasLeft, removals::want);
    assertThat(notes).containsExactly("done", "woken");
    assertThat(removals.advance()).isEmpty();
    assertThat(takeovers).isEqualTo(5);
    assertThat(notes).containsExactly("done", "woken");
    assertThat(metric()).isEqualTo("portolan_other_proxy 0");
    other.close();
  }

  @Test
  void aLookThatFailsIsFollowedByOthers() {
    OtherProxy other = other();
    long before = counted();
    other.look(
        () -> {
          throw new IllegalStateException("a bug");
        },
        () -> {});
    assertThat(counted()).isEqualTo(before + 1);
    left = true;
    look(other);
    assertThat(takeovers).isEqualTo(1);
  }

  private static long counted() {
    return Failures.ofProcess().counts().getOrDefault("other-proxy", 0L);
  }

  @Test
  void whoeverWroteRulesThatCameBackIsForgottenWhenTheyDoSoNoMore() {
    OtherProxy other = other();
    left = true;
    for (int i = 0; i < 60; i++) {
      look(other);
    }
    assertThat(takeovers).isEqualTo(1);
    assertThat(metric()).isEqualTo("portolan_other_proxy 1");
    look(other);
    assertThat(takeovers).as("once an hour").isEqualTo(2);
    left = false;
    look(other);
    assertThat(metric()).isEqualTo("portolan_other_proxy 0");

    found = Optional.of("kube-proxy (pid 8)");
    look(other);
    assertThat(metric()).isEqualTo("portolan_other_proxy 1");
    assertThat(events).last().asString().contains("kube-proxy (pid 8)");
  }

  @Test
  void metricsTellAKubeProxyFromAPortolan() throws Exception {
    assertThat(behind("# HELP\nkubeproxy_sync_total 1\n")).isPresent();
    assertThat(behind("# HELP\nkubeproxy_sync_total 1\nportolan_revision 2\n")).isEmpty();
    assertThat(behind("hello\n")).isEmpty();
    assertThat(new ProxySearch(proc, Set.of("127.0.0.1:1", "", "nonsense")).get()).isEmpty();
  }

  private Optional<String> behind(String page) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] body = page.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      String address = "127.0.0.1:" + server.getAddress().getPort();
      return new ProxySearch(proc, Set.of(address)).get();
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aProcessIsAKubeProxyByItsNameItsNetworkAndItsProgram() throws Exception {
    long own = ProcessHandle.current().pid();
    process(SELF, "java", "net:[1]", "/usr/bin/java");
    Path candidate =
        process(Long.toString(own), "kube-proxy", "net:[1]", "/usr/local/bin/kube-proxy");
    assertThat(new ProxySearch(proc, Set.of()).get()).isPresent();
    replace(candidate.resolve("ns/net"), "net:[2]");
    assertThat(new ProxySearch(proc, Set.of()).get()).as("another network").isEmpty();
    replace(candidate.resolve("ns/net"), "net:[1]");
    replace(candidate.resolve("exe"), "/opt/portolan/runtime/bin/java");
    assertThat(new ProxySearch(proc, Set.of()).get()).as("a Portolan by that name").isEmpty();
  }

  private Path process(String name, String comm, String network, String program)
      throws IOException {
    Path folder = Files.createDirectories(proc.resolve(name).resolve("ns")).getParent();
    Files.writeString(folder.resolve("comm"), comm + "\n");
    replace(folder.resolve("ns/net"), network);
    replace(folder.resolve("exe"), program);
    return folder;
  }

  private static void replace(Path link, String target) throws IOException {
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, Path.of(target));
  }
}
