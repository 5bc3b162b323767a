package dev.portolan.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the kit says on a command line. */
class ConsoleTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    return new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
        .run(List.of(args));
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aProgramThatIsRightPasses(@TempDir Path folder) {
    Path state = folder.resolve("state");
    List<String> words =
        new ArrayList<>(List.of("--here", "--small", "--dump", "cat " + state, "--only", "server"));
    words.addAll(List.of("--", "sh", "-c", "exec \"$@\"", "{node}"));
    words.addAll(java(state));
    int status = run(words.toArray(String[]::new));
    assertThat(out())
        .containsPattern("server-restart +pass {2}\\d+ states compared, \\d+\\.\\d s\n")
        .containsPattern("server-restart-other-state +pass")
        .endsWith("\nall 2 exercises passed\n");
    assertThat(status).isZero();
  }

  @Test
  void aDumpThatIsWrongFails(@TempDir Path folder) {
    List<String> words =
        new ArrayList<>(List.of("--here", "--dump", "echo x", "--only", "empty", "--"));
    words.addAll(java(folder.resolve("state")));
    assertThat(run(words.toArray(String[]::new))).isOne();
    assertThat(out()).contains("FAIL  after it acknowledged everything: this line is too many: x");
  }

  private static List<String> java(Path state) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
        FileProgram.class.getName(),
        state.toString());
  }

  @Test
  void aProgramThatEndsFailsWithItsLastWords() {
    int status =
        run(
            "--here",
            "--only",
            "empty-cluster",
            "--",
            "sh",
            "-c",
            "echo bad luck for {node}; exit 3");
    assertThat(out())
        .contains(
            "empty-cluster                FAIL  it ended: status 3, after it printed: bad luck for"
                + " worker-1\n\n1 of 1 exercises failed\n");
    assertThat(status).isOne();
  }

  @Test
  void aProgramThatIsNotThereFails() {
    assertThat(run("--here", "--only", "empty-cluster", "--", "./no-such-program")).isOne();
    assertThat(out()).contains("FAIL  it could not be started: ").contains("no-such-program");
  }

  @Test
  void aProgramThatDoesNotConnectIsNotWaitedForForEver() {
    int status = run("--here", "--patience", "1", "--only", "empty-cluster", "--", "sleep", "1000");
    assertThat(out())
        .contains("FAIL  within 1 s it did not connect to unix://")
        .contains("worker-1");
    assertThat(status).isOne();
  }

  @Test
  void theExercisesAreListed() {
    assertThat(run("--list")).isZero();
    assertThat(out())
        .contains("empty-cluster                An empty cluster is a state too.\n")
        .contains("packets-external-local", "traffic-under-churn");
  }

  @Test
  void helpIsHelp() {
    assertThat(run("--help")).isZero();
    assertThat(out()).isEqualTo(Console.HELP);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --here                            | name a program, as in: ./dev conformance -- ./my-backend
          ./mine                            | write -- before the program: -- ./mine
          --fast -- ./mine                  | unknown option '--fast'; --help lists them
          --dump                            | --dump needs a value; see --help
          --patience x -- ./mine            | --patience: 'x' must be a number of seconds from 1 to 99999
          --here --only singing -- ./mine   | unknown exercise 'singing'; --list lists them
          """)
  void aMistakeIsSaidInASentence(String line, String sentence) {
    assertThat(run(line.split(" ", -1))).isEqualTo(2);
    assertThat(err()).isEqualTo("conformance: " + sentence + "\n");
  }
}
