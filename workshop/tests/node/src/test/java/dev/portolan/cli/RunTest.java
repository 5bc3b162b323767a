package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Background;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.OwnJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the kernel afterwards, and what needs a process; what is printed are sessions. */
final class RunTest {
  @TempDir private Path folder;
  private PrivateNamespace namespace;

  @BeforeEach
  void prepare() throws Exception {
    KernelNeeds.check();
    namespace = new PrivateNamespace();
    try (Stream<Path> files = Files.list(Shell.SHOP)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
  }

  @AfterEach
  void remove() throws Exception {
    if (namespace != null) {
      namespace.delete();
    }
  }

  @Test
  void onceProgramsAndCleanupLeavesNothing() throws Exception {
    Result once = run("--once");
    assertThat(once.status()).isZero();
    assertThat(once.out()).isEmpty();
    assertThat(once.err())
        .matches(
            "node worker-1: programming network namespace "
                + namespace.name()
                + " with nftables, table portolan, from file:.*\n"
                + "revision 1: 9 services set, in [0-9.]+ ms\n");
    assertThat(namespace.nft("list", "ruleset"))
        .contains("table ip portolan", "table ip6 portolan", "10.96.20.10", "shop/web:http");

    Result cleanup = Shell.run("cleanup", "--netns", namespace.name());
    assertThat(cleanup.status()).isZero();
    assertThat(cleanup.out())
        .isEqualTo(
            "removed from network namespace "
                + namespace.name()
                + ":\n  nftables: table ip portolan\n  nftables: table ip6 portolan\n");
    assertThat(namespace.nft("list", "ruleset")).isEmpty();

    Result again = Shell.run("cleanup", "--netns", namespace.name(), "--backend", "nftables");
    assertThat(again.status()).isZero();
    assertThat(again.out())
        .isEqualTo("nothing to remove from network namespace " + namespace.name() + "\n");
  }

  @Test
  void aSecondRunChangesNothing() throws Exception {
    assertThat(run("--once").status()).isZero();
    String rules = namespace.nft("list", "ruleset");
    assertThat(run("--once").status()).isZero();
    assertThat(namespace.nft("list", "ruleset")).isEqualTo(rules);
  }

  @Test
  void othersRulesAreLeftAlone() throws Exception {
    namespace.nft("add", "table", "ip", "theirs");
    namespace.nft("add", "table", "ip6", "portolan-not");
    assertThat(run("--once", "--nftables-table", "kube-proxy").status()).isZero();
    assertThat(namespace.nft("list", "tables"))
        .contains("table ip theirs", "table ip6 portolan-not", "table ip kube-proxy")
        .doesNotContain("table ip portolan");

    Shell.run("cleanup", "--netns", namespace.path().toString(), "--nftables-table", "kube-proxy");
    assertThat(namespace.nft("list", "tables"))
        .contains("table ip theirs", "table ip6 portolan-not")
        .doesNotContain("kube-proxy");
  }

  @Test
  void changesAreFollowedAndRulesStay() throws Exception {
    try (Background run = background()) {
      run.await(run.err, "revision 1: 9 services set, in ");
      Shell.write(
          folder,
          "new.yaml",
          """
          apiVersion: v1
          kind: Service
          metadata: {namespace: shop, name: fresh}
          spec: {clusterIPs: [10.96.30.1], ports: [{name: http, port: 80}]}
          """);
      run.await(run.err, "revision 2: 1 service set, in ");
      assertThat(namespace.nft("list", "ruleset")).contains("10.96.30.1");

      Files.delete(folder.resolve("new.yaml"));
      run.await(run.err, "revision 3: 1 service removed, in ");
      assertThat(namespace.nft("list", "ruleset")).doesNotContain("10.96.30.1");

      Shell.write(folder, "broken.yaml", "kind: \"\\u");
      run.await(run.err, "warning: ");
      assertThat(run.err.toString())
          .containsPattern("broken.yaml:1:10: kind: not valid YAML: .*; the last good state stays");
      Shell.write(
          folder,
          "broken.yaml",
          """
          apiVersion: v1
          kind: Service
          metadata: {namespace: shop, name: mended}
          spec: {clusterIPs: [10.96.30.2], ports: [{name: http, port: 80}]}
          """);
      run.await(run.err, "revision 4: 1 service set, in ");

      assertThat(run.stop()).isZero();
      assertThat(run.err.toString())
          .endsWith("stopped; the rules stay in place ('portolan cleanup' removes them)\n");
      assertThat(namespace.nft("list", "ruleset")).contains("10.96.20.10");
    }
  }

  @Test
  void whatSomebodyElseDestroysIsRepaired() throws Exception {
    try (Background run = background()) {
      run.await(run.err, "revision 1: ");
      namespace.nft("delete", "table", "ip", "portolan");
      run.await(run.err, " after a change by nft");
      assertThat(run.err.toString()).containsPattern("repaired \\d+ objects? after");
      assertThat(namespace.nft("list", "ruleset")).contains("10.96.20.10");
    }
  }

  @Test
  void aSignalEndsItInGoodOrder() throws Exception {
    Process process = start();
    try {
      Path log = folder.resolve("err.log");
      Await.text("revision 1", () -> Files.readString(log));
      process.destroy();
      assertThat(process.waitFor(Await.PATIENCE)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(log)).isZero();
      assertThat(Files.readString(log)).contains("stopped; the rules stay in place");
      assertThat(namespace.nft("list", "ruleset")).contains("10.96.20.10");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void beingKilledAtAnyMomentLosesNothing() throws Exception {
    Random random = new Random(11);
    for (int life = 0; life < 6; life++) {
      Process process = start();
      try {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200 + random.nextInt(900));
        for (int i = 0; System.nanoTime() < end; i++) {
          fresh(life * 1000 + i);
          Thread.sleep(2);
        }
      } finally {
        process.destroyForcibly();
        assertThat(process.waitFor(Await.PATIENCE)).isTrue();
      }
    }
    assertThat(run("--once").status()).isZero();
    assertThat(run("--once").status()).isZero();
    String killed = namespace.nft("list", "ruleset");
    namespace.nft("flush", "ruleset");
    assertThat(run("--once").status()).isZero();
    assertThat(killed.lines().sorted())
        .containsExactlyElementsOf(namespace.nft("list", "ruleset").lines().sorted().toList());
  }

  /** Writes a service with as many endpoints as {@code version} says, in one step. */
  private void fresh(int version) throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            apiVersion: v1
            kind: Service
            metadata: {namespace: shop, name: fresh}
            spec: {clusterIPs: [10.96.30.1], ports: [{name: http, port: 80}]}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {namespace: shop, name: fresh-1, labels: {kubernetes.io/service-name: fresh}}
            addressType: IPv4
            ports: [{name: http, port: 8080}]
            endpoints:
            """);
    for (int i = 0; i <= version % 9; i++) {
      text.append("- addresses: [10.244.9.").append(1 + (version + i) % 200).append("]\n");
    }
    Path temporary = folder.resolve(".fresh");
    Files.writeString(temporary, text);
    Files.move(temporary, folder.resolve("fresh.yaml"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Starts the real program. */
  private Process start() throws IOException {
    return new ProcessBuilder(
            OwnJvm.words(
                List.of("--enable-native-access=ALL-UNNAMED"),
                Main.class,
                "run",
                "--from",
                "file:" + folder,
                "--node",
                "worker-1",
                "--netns",
                namespace.name()))
        .redirectError(folder.resolve("err.log").toFile())
        .start();
  }

  private Result run(String... args) {
    return Shell.over(folder, "run", all(args));
  }

  private Background background() {
    return new Background(
        Stream.concat(Stream.of("run", "--from", "file:" + folder), Stream.of(all()))
            .toArray(String[]::new));
  }

  private String[] all(String... args) {
    return Stream.concat(
            Stream.of("--node", "worker-1", "--netns", namespace.name()), Stream.of(args))
        .toArray(String[]::new);
  }
}
