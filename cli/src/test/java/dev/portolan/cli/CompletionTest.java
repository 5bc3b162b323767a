package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scripts for shells, tried in those that are installed. */
final class CompletionTest {
  @TempDir private Path folder;

  @Test
  void bashCompletesCommandsAndOptions() throws Exception {
    Path script = script("bash");
    assertThat(bash(script, "complete -p portolan")).contains("_complete_portolan");
    assertThat(completed(script, "portolan", "sh")).containsExactly("show");
    assertThat(completed(script, "portolan", "config", "val")).containsExactly("validate");
    assertThat(completed(script, "portolan", "show", "--no-h")).containsExactly("--no-headers");
    assertThat(completed(script, "portolan", "show", "-o", "js"))
        .containsExactly("json", "jsonpath=");
    assertThat(completed(script, "portolan", "show", "--foll")).isEmpty();
  }

  @Test
  void fishKnowsCommandsAndTheirOptions() throws Exception {
    String script = Shell.run("completion", "fish").out();
    assertThat(script.lines())
        .contains("complete -c portolan -f")
        .anySatisfy(line -> assertThat(line).contains(" -a show -d 'Print the decisions"))
        .anySatisfy(line ->
            assertThat(line)
                .startsWith(
                    "complete -c portolan -n '__fish_seen_subcommand_from show' -s n"
                        + " -l namespace -x -d '"))
        .anySatisfy(line ->
            assertThat(line)
                .startsWith(
                    "complete -c portolan -n '__fish_seen_subcommand_from config; and"
                        + " __fish_seen_subcommand_from convert' -l to -x"))
        .noneSatisfy(line -> assertThat(line).contains("-l follow"))
        .noneSatisfy(line -> assertThat(line).contains("-a watch"))
        .allSatisfy(line ->
            assertThat(line.replace("\\'", "").chars().filter(c -> c == '\'').count())
                .isIn(0L, 2L, 4L, 6L));
  }

  @Test
  void zshReadsTheScriptOfBash() {
    assertThat(Shell.run("completion", "zsh").out())
        .isEqualTo(Shell.run("completion", "bash").out())
        .contains("bashcompinit");
  }

  @Test
  void anotherShellIsRefused() {
    Result result = Shell.run("completion", "tcsh");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("portolan: SHELL: 'tcsh' is not allowed; write bash, zsh or fish\n");
  }

  private Path script(String shell) throws IOException {
    Result result = Shell.run("completion", shell);
    assertThat(result.status()).isZero();
    return Files.writeString(folder.resolve("script"), result.out());
  }

  /** What bash offers where the cursor stands behind the last word. */
  private static List<String> completed(Path script, String... words) throws Exception {
    String line = String.join(" ", words);
    String out =
        bash(
            script,
            "COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE='%s'; COMP_POINT=%d; _complete_portolan"
                    .formatted(line, words.length - 1, line, line.length())
                + " 2>/dev/null; printf '%s\\n' \"${COMPREPLY[@]}\"");
    return out.lines().map(String::strip).filter(word -> !word.isEmpty()).sorted().toList();
  }

  private static String bash(Path script, String commands) throws Exception {
    Process bash =
        new ProcessBuilder("bash", "--norc", "-c", "source '" + script + "'; " + commands)
            .redirectErrorStream(true)
            .start();
    bash.getOutputStream().close();
    String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    bash.waitFor();
    return out;
  }
}
