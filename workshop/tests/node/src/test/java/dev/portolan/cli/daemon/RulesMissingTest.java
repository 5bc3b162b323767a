package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules that are missing and cannot be put back keep load balancers away from the node. */
@NeedsPeers
final class RulesMissingTest extends DaemonOnNode {
  private static final String GAUGE = "portolan_rules_missing ";

  private void assertMissing(Daemon daemon, boolean missing) throws InterruptedException {
    Await.until(daemon::log, () -> host.healthz().status() == (missing ? 503 : 200));
    Await.until(daemon::log, () -> host.healthz().body().contains("\"rulesMissing\":" + missing));
    Await.until(
        daemon::log, () -> host.management("/metrics").body().contains(GAUGE + (missing ? 1 : 0)));
  }

  /** A table of ours that belongs to a process that runs, so that the kernel refuses all others. */
  @Test
  void whileTheKernelRefusesRepairs() throws Exception {
    try (Daemon daemon = host.start()) {
      daemon.awaitSync();
      assertMissing(daemon, false);
      Process owner = nft();
      try (OutputStream commands = owner.getOutputStream()) {
        commands.write(
            "delete table ip portolan; add table ip portolan { flags owner; comment \"rules of Portolan\"; }\n"
                .getBytes(StandardCharsets.UTF_8));
        commands.flush();
        assertMissing(daemon, true);
        assertThat(host.get("127.0.0.1", 10256, "/livez").status()).isEqualTo(200);
        daemon.awaitLog("Rules are missing and cannot be put back", 1);
      } finally {
        owner.waitFor();
      }
      assertMissing(daemon, false);
      daemon.awaitLog("No rules are missing any more", 1);
      assertThat(daemon.log()).contains("PORT-311").doesNotContain("PORT-309");
    }
  }

  /** Only the daemon sees these programs: a command in a namespace has its own mounts. */
  private List<String> withPrograms(Path folder) {
    List<String> words = new ArrayList<>(host.inside());
    words.addAll(
        List.of("sh", "-c", "mount --bind " + folder + " /usr/local/sbin && exec \"$@\"", "sh"));
    return words;
  }

  @ParameterizedTest
  @ValueSource(strings = {"nft", "legacy"})
  @NeedsKernel(tools = {"iptables-nft", "iptables-legacy"})
  void whileIptablesRefusesRepairs(String kind, @TempDir Path folder) throws Exception {
    String iptables = "iptables-" + kind;
    Path refuses = folder.resolve("refuses");
    Path program =
        Files.writeString(
            folder.resolve(iptables + "-restore"),
            """
            #!/bin/sh
            [ ! -e %s ] || { echo 'a test' >&2; exit 4; }
            exec /usr/sbin/%s-restore "$@"
            """
                .formatted(refuses, iptables));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    host.namespace().run(iptables, "-t", "mangle", "-N", "KUBE-IPTABLES-HINT");
    try (Daemon daemon = Daemon.start(withPrograms(folder), host.flags("--proxy-mode=iptables"))) {
      daemon.awaitSync();
      assertMissing(daemon, false);
      Files.createFile(refuses);
      host.namespace().run(iptables, "-w", "60", "-t", "nat", "-F", "KUBE-SERVICES");
      assertMissing(daemon, true);
      daemon.awaitLog("Rules are missing and cannot be put back", 1);
      Files.delete(refuses);
      assertMissing(daemon, false);
      daemon.awaitLog("No rules are missing any more", 1);
      assertThat(daemon.log()).contains("PORT-311").doesNotContain("PORT-309");
    }
  }

  private Process nft() throws IOException {
    List<String> command = new ArrayList<>(host.inside());
    command.addAll(List.of("nft", "-i"));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  @Test
  void whileAnotherProgramRemovesThemAgain() throws Exception {
    try (Daemon daemon = host.start()) {
      daemon.awaitSync();
      Await.until(
          daemon::log,
          () -> {
            host.namespace().nft("add table ip portolan; delete table ip portolan;");
            return host.healthz().status() == 503;
          });
      assertMissing(daemon, false);
      assertThat(daemon.log()).contains("PORT-311", "PORT-309");
    }
  }
}
