package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scripts for shells, tried in the shells themselves. */
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
    assertThat(completed(script, "portolan", "kube-proxy", "--proxy"))
        .containsExactly("--proxy-mode");
    assertThat(completed(script, "portolan", "kube-proxy", "--proxy-mode", "ip"))
        .containsExactly("iptables", "ipvs");
    assertThat(completed(script, "portolan", "kube-proxy", "--cleanup", "--init"))
        .containsExactly("--init-only");
    assertThat(completed(script, "portolan", "kube-proxy", "--config", folder + "/scr"))
        .containsExactly(script.toString());
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
  void fishCompletesCommandsAndOptions() throws Exception {
    Path script = script("fish");
    assertThat(fish(script, "portolan sh")).containsExactly("show");
    assertThat(fish(script, "portolan config val")).containsExactly("validate");
    assertThat(fish(script, "portolan show -o js")).containsExactly("json", "jsonpath=");
    assertThat(fish(script, "portolan explain --foll")).isEmpty();
    assertThat(fish(script, "portolan kube-proxy --proxy")).containsExactly("--proxy-mode");
    assertThat(fish(script, "portolan kube-proxy --proxy-mode ip"))
        .containsExactly("iptables", "ipvs");
    assertThat(fish(script, "portolan kube-proxy --config " + folder + "/scr"))
        .containsExactly(script.toString());
  }

  @Test
  void zshCompletesCommandsAndOptions() throws Exception {
    Path script = script("zsh");
    zsh(script, "portolan sho", "portolan show ");
    zsh(script, "portolan config val", "portolan config validate ");
    zsh(script, "portolan show --no-h", "portolan show --no-headers ");
    zsh(script, "portolan kube-proxy --proxy", "portolan kube-proxy --proxy-mode ");
    zsh(script, "portolan kube-proxy --proxy-mode ipt", "--proxy-mode iptables ");
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

  /** What fish offers for {@code line}. */
  private static List<String> fish(Path script, String line) throws Exception {
    String commands = "source '%s'; complete -C '%s'".formatted(script, line);
    return run("fish", "--no-config", "-c", commands)
        .lines()
        .map(offer -> offer.replaceFirst("\t.*", ""))
        .sorted()
        .toList();
  }

  /**
   * Presses the tabulator behind {@code line} in zsh, in a terminal of its own, and waits until the
   * line is {@code expected}; the bound is reached only if it never is.
   */
  private void zsh(Path script, String line, String expected) throws Exception {
    Path driver =
        Files.writeString(
            folder.resolve("driver"),
            """
            zmodload zsh/zpty
            zpty -b shell 'TERM=dumb zsh -f -i'
            seen=
            await() {
              local end=$((SECONDS + 60)) part
              while [[ $seen != *"$1"* && $SECONDS -lt $end ]]; do
                if zpty -r -t shell part; then seen+=$part; else sleep 0.02; fi
              done
            }
            zpty -w shell "source $1; echo LOADED"
            await $'\nLOADED'
            seen=
            zpty -w -n shell "$2"$'\t'
            await "$3"
            print -r -- "$seen"
            zpty -d shell
            """);
    assertThat(run("zsh", "-f", driver.toString(), script.toString(), line, expected))
        .contains(expected);
  }

  private static String bash(Path script, String commands) throws Exception {
    return run("bash", "--norc", "-c", "source '" + script + "'; " + commands);
  }

  /** Runs a shell that is installed; {@code ./dev test} installs them. */
  private static String run(String... command) throws Exception {
    String shell = command[0];
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(place -> Files.isExecutable(Path.of(place, shell))),
        shell + " is missing: install the package " + shell);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return out;
  }
}
