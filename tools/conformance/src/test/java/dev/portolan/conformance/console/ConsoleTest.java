package dev.portolan.conformance.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.conformance.Sizes;
import dev.portolan.testbase.OwnJvm;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kit says on a command line. */
class ConsoleTest {
  private final StringWriter out = new StringWriter();
  private final Console console =
      new Console(new PrintWriter(out), new PrintWriter(new StringWriter()));

  private boolean play(String only, Optional<String> dump, Sizes sizes, List<String> program) {
    return console.play(new Console.Request(program, dump, List.of(only), sizes, true));
  }

  private boolean play(String only, String... program) {
    return play(only, Optional.empty(), Sizes.FULL, List.of(program));
  }

  @Test
  void aProgramThatIsRightPasses(@TempDir Path folder) {
    Path state = folder.resolve("state");
    List<String> program = new ArrayList<>(List.of("sh", "-c", "exec \"$@\"", "{node}"));
    program.addAll(java(state));
    boolean passed = play("server", Optional.of("cat " + state), Sizes.SMALL, program);
    assertThat(out.toString())
        .containsPattern("server-restart +pass {2}\\d+ states compared, \\d+\\.\\d s\n")
        .containsPattern("server-restart-other-state +pass")
        .endsWith("\nall 2 exercises passed\n");
    assertThat(passed).isTrue();
  }

  @Test
  void aDumpThatIsWrongFails(@TempDir Path folder) {
    List<String> program = java(folder.resolve("state"));
    assertThat(play("empty", Optional.of("echo x"), Sizes.FULL, program)).isFalse();
    assertThat(out.toString())
        .contains("FAIL  after it acknowledged everything: this line is too many: x");
  }

  private static List<String> java(Path state) {
    return OwnJvm.words(List.of("-XX:TieredStopAtLevel=1"), FileProgram.class, state.toString());
  }

  @Test
  void aProgramThatEndsFailsWithTheLineThatExplains() {
    boolean passed =
        play(
            "empty-cluster",
            "sh",
            "-c",
            "echo starting; echo 'error: no table for {node}'; echo See --help for usage; exit 3");
    assertThat(out.toString())
        .contains(
            "empty-cluster                FAIL  it ended: status 3, after it printed: error: no"
                + " table for worker-1\n\n1 of 1 exercises failed\n");
    assertThat(passed).isFalse();
  }

  @Test
  void aProgramThatIsNotThereFails() {
    assertThat(play("empty-cluster", "./no-such-program")).isFalse();
    assertThat(out.toString())
        .contains("FAIL  it could not be started: ")
        .contains("no-such-program");
  }

  @Test
  void aProgramThatDoesNotConnectIsNotWaitedForForEver() {
    boolean passed =
        play(
            "empty-cluster",
            Optional.empty(),
            Sizes.FULL.withPatience(Duration.ofSeconds(1)),
            List.of("sh", "-c", "echo cannot read the address; exec sleep 1000"));
    assertThat(out.toString())
        .contains("FAIL  within 1 s it did not connect to unix://")
        .contains("worker-1; it printed: cannot read the address\n");
    assertThat(passed).isFalse();
  }

  @Test
  void theExercisesAreListed() {
    console.list();
    assertThat(out.toString())
        .contains("empty-cluster                An empty cluster is a state too.\n")
        .contains("packets-external-local", "traffic-under-churn");
  }

  @Test
  void anExerciseThatDoesNotExistIsSaid() {
    assertThatThrownBy(() -> play("singing", "./mine"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unknown exercise 'singing'; --list lists them");
  }
}
