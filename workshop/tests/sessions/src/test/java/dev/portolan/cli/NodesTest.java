package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.v1.NodeStatus;
import dev.portolan.decision.view.ServedClient;
import dev.portolan.sessions.Background;
import dev.portolan.sessions.ServedShop;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.TextTable;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statuses of every kind, and clients that report, fail and go; what has neither is a session. */
final class NodesTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final List<NodeStatus> FLEET =
      List.of(
          status("", "", 40, 40, 0, false, 200).build(),
          status("worker-1", "nftables", 12, 12, 12, true, 200).build(),
          status("worker-2", "nftables", 12, 12, 10, true, 200)
              .setBehindSinceUnixNanos(nanos(12))
              .setAuditedUnixNanos(nanos(200))
              .setAuditDifferences(3)
              .build(),
          status("worker-3", "nftables", 12, 12, 9, true, 200)
              .setBehindSinceUnixNanos(nanos(200))
              .setError(
                  "nftables: cannot write table portolan in network namespace my-node: the kernel"
                      + " has no memory left; give it more")
              .build(),
          status("worker-4", "", 7, 7, 0, false, 90_000).build(),
          status("worker-5", "nftables", 12, 12, 12, true, 200).setConnected(false).build());

  @TempDir private Path folder;

  @Test
  void aLineAClientInEightyColumns() {
    TextTable table = ServedClient.table();
    FLEET.forEach(status -> new ServedClient(status, NOW).addTo(table));
    assertThat(String.join("\n", table.withTitles(OptionalInt.of(80), terminal(false))))
        .isEqualTo(
            """
            NODE       CLIENT    REVISION  APPLIED  AGE  LAG  STATE
            (cluster)  -               40        -   3m    -  ok
            worker-1   nftables        12       12   3m    -  ok
            worker-2   nftables        12       10   3m  12s  behind
            worker-3   nftables        12        9   3m   3m  failing: nftables: cannot
                                                              write table portolan in
                                                              network namespace my-node: the
                                                              kernel has no memory left;
                                                              give it more
            worker-4   -                7        -  25h    -  ok
            worker-5   nftables        12       12   3m    -  gone\
            """);
  }

  @Test
  void wideCutsNothing() {
    TextTable table = ServedClient.wideTable();
    FLEET.subList(1, 3).forEach(status -> new ServedClient(status, NOW).addToWide(table));
    assertThat(String.join("\n", table.withTitles(OptionalInt.empty(), terminal(false))))
        .isEqualTo(
            """
            NODE      CLIENT    PEER         REVISION  SENT  APPLIED  APPLIED AGE  AGE  LAG  AUDIT      STATE
            worker-1  nftables  unix socket        12    12       12          59s   3m    -  -          ok
            worker-2  nftables  unix socket        12    12       10          59s   3m  12s  3, 3m ago  behind\
            """);
  }

  @Test
  void whoIsBehindOrFailingStandsOutOnATerminalOnly() {
    for (boolean colours : new boolean[] {true, false}) {
      TextTable table = ServedClient.table();
      FLEET.forEach(status -> new ServedClient(status, NOW).addTo(table));
      List<String> lines = table.withTitles(OptionalInt.of(80), terminal(colours));
      assertThat(lines.get(2)).startsWith("worker-1");
      assertThat(lines.get(3)).startsWith(colours ? "\u001b[33mworker-2" : "worker-2");
      assertThat(lines.get(4)).startsWith(colours ? "\u001b[31mworker-3" : "worker-3");
    }
  }

  @Test
  void longNamesAreCutInTheirMiddle() {
    NodeStatus longest =
        status("n".repeat(253), "c".repeat(200), 99_999_999, 1, 99_999_998, true, 1_000_000)
            .setError("e".repeat(300))
            .setBehindSinceUnixNanos(nanos(1_000_000))
            .build();
    TextTable table = ServedClient.table();
    new ServedClient(longest, NOW).addTo(table);
    assertThat(table.withTitles(OptionalInt.of(80), terminal(false)))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @ParameterizedTest
  @CsvSource({"-5,0s", "0,0s", "40,40ms", "1000,1s", "119999,119s", "120000,2m", "7200000,2h"})
  void timesAreCountedAsPeopleDo(long millis, String text) {
    assertThat(ServedClient.age(Duration.ofMillis(millis))).isEqualTo(text);
  }

  @Test
  void aBrainTellsWhomItServesAndHowFarTheyAre() throws Exception {
    try (ServedShop shop = new ServedShop(folder);
        ReportingClient client = new ReportingClient(shop.address(), "worker-1", "tester");
        Background watch = new Background("nodes", shop.api(), "--watch")) {
      client.apply();
      watch.await(watch.out, "worker-1  tester         1        1");
      Result table = Shell.run("nodes", shop.api());
      assertThat(table.status()).isZero();
      assertThat(table.err()).isEmpty();
      assertThat(table.out().replaceAll("\\d+m?s", "1s").replaceAll(" +", " "))
          .isEqualTo(
              """
              NODE CLIENT REVISION APPLIED AGE LAG STATE
              worker-1 tester 1 1 1s - ok
              worker-2 - - - - - no client
              worker-3 - - - - - no client
              """);

      assertThat(Shell.run("show", shop.api(), "--node=worker-2").status()).isZero();
      assertThat(Shell.run("nodes", shop.api()).out())
          .as("one that only looks does not serve the node")
          .containsPattern("worker-2 .* no client");

      shop.replace("services.yaml", "nodePort: 30080", "nodePort: 30081");
      client.fail("no room");
      watch.await(watch.out, "failing: no room");
      assertThat(watch.out.toString().lines().filter(line -> line.startsWith("NODE"))).hasSize(1);

      Map<String, Object> tree = Shell.run("nodes", shop.api(), "-o", "json").tree();
      assertThat(tree)
          .containsEntry("source", "file:" + shop.folder)
          .containsEntry("synced", true)
          .containsKey("version");
      assertThat(Shell.run("nodes", shop.api(), "-o", "yaml").tree()).isEqualTo(tree);
      assertThat(Shell.list(tree.get("nodes")).getFirst())
          .containsEntry("node", "worker-1")
          .containsEntry("client", "tester")
          .containsEntry("state", "failing")
          .containsEntry("revision", 2)
          .containsEntry("applied", 1)
          .containsEntry("error", "no room");

      assertThat(shop.stop()).isZero();
      watch.await(watch.err, "lost: " + shop.address() + ": ");
      shop.start();
      watch.await(watch.err, shop.address() + " is back\n");
      assertThat(watch.stop()).isZero();
    }
  }

  private static NodeStatus.Builder status(
      String node,
      String client,
      long revision,
      long sent,
      long applied,
      boolean reports,
      long seconds) {
    return NodeStatus.newBuilder()
        .setNode(node)
        .setClient(client)
        .setPeer("unix socket")
        .setConnected(true)
        .setRevision(revision)
        .setSent(sent)
        .setApplied(applied)
        .setReports(reports)
        .setAppliedUnixNanos(reports ? nanos(59) : 0)
        .setChangedUnixNanos(nanos(seconds));
  }

  private static long nanos(long secondsAgo) {
    return NOW.minusSeconds(secondsAgo).toEpochMilli() * 1_000_000;
  }

  private static Terminal terminal(boolean colours) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return colours ? Terminal.coloured(nowhere, nowhere) : Terminal.plain(nowhere, nowhere);
  }
}
