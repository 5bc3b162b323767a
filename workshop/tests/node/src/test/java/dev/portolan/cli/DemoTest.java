package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Background;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The demo needs a lab, takes half a minute, and is interrupted; its mistakes are sessions. */
final class DemoTest {
  private List<Path> foldersBefore;

  @BeforeEach
  void check() throws IOException {
    KernelNeeds.check();
    foldersBefore = folders();
  }

  @AfterEach
  void nothingIsLeftBehind() throws IOException {
    try (Stream<Path> namespaces = Files.list(Path.of("/run/netns"))) {
      String ours = "portolan-" + ProcessHandle.current().pid() + "-";
      assertThat(namespaces.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.startsWith(ours));
    }
    assertThat(foldersBefore).containsAll(folders());
  }

  @Test
  void allOfItHappens() {
    Result result = Shell.run("demo");

    assertThat(result.out()).doesNotContain("✗");
    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
    assertThat(result.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(result.out())
        .contains(
            "pod-a3 opens 60 connections to 10.96.0.10:80",
            "pod-b1  0\n",
            "pod-a2 answered 20 times and saw 198.51.100.10\n",
            "10.96.0.30:80: connection refused, after ",
            "203.0.113.20:80/TCP  from 198.51.100.10  →  drop\n",
            "checks held, in ");
    assertThat(Pattern.compile("✓").matcher(result.out()).results()).hasSize(13);
  }

  @Test
  void keepLeavesItRunningUntilItIsInterrupted() throws Exception {
    try (Background demo = new Background("demo", "--keep")) {
      demo.await(demo.out, "every edit takes effect");
      Matcher node = Pattern.compile("portolan-[0-9-]+-node").matcher(demo.out.toString());
      assertThat(node.find()).isTrue();
      Programs.run("ip", "netns", "exec", node.group(), "nft", "delete", "table", "ip", "portolan");
      // What nft was asked to do is added where it still runs when its notice is read; often it has
      // ended.
      demo.await(demo.err, " after a change by nft");

      assertThat(demo.stop()).isZero();
      assertThat(demo.out.toString()).doesNotContain("✗").endsWith("All 13 checks held.\n");
    }
  }

  @Test
  void anInterruptHalfwayCleansUp() throws Exception {
    for (String moment : List.of("takes a moment", "A pod goes away", "Local or Cluster")) {
      try (Background demo = new Background("demo")) {
        demo.await(demo.out, moment);
        assertThat(demo.stop()).isEqualTo(130);
        assertThat(demo.out.toString()).endsWith("Interrupted.\n").doesNotContain("✗");
      }
    }
  }

  private static List<Path> folders() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(path -> path.getFileName().toString().startsWith("portolan-demo-"))
          .toList();
    }
  }
}
