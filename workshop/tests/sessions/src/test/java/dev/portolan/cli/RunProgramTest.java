package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code run --backend exec} needs programs in other languages; its mistakes are sessions. */
final class RunProgramTest {
  private static final Path PRINT = Shell.SHOP.resolve("../exec/print.py");

  @Test
  void aProgramIsToldEverythingOnce() {
    Result result = run("--exec-mode=incremental", "--once", "--", "python3", PRINT.toString());
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.err())
        .startsWith("node worker-1: telling python3 ")
        .contains("+ shop/web:http", "revision 1: 9 services set, in ");
  }

  @Test
  void itsLinesCanBeThoseOfTheDaemon() {
    String[] once = {"--exec-mode=incremental", "--once", "-v=2"};
    String[] program = {"--", "python3", PRINT.toString()};
    Result text = run(once, "--logging-format=text", program);
    assertThat(text.err().lines().filter(line -> line.contains("] ")))
        .anyMatch(line -> line.matches("I\\d{4} [0-9:.]+ +\\d+ run:\\d+\\] \"revision 1: 9 .*"))
        .anyMatch(line -> line.endsWith("] \"  set shop/web\""));
    assertThat(run(once, "--logging-format=json", program).err().lines())
        .anyMatch(line ->
            line.startsWith("{\"ts\":") && line.contains("\"msg\":\"revision 1: 9 services"));
  }

  private static Result run(String[] first, String option, String[] last) {
    List<String> words = new ArrayList<>(List.of(first));
    words.add(option);
    words.addAll(List.of(last));
    return run(words.toArray(String[]::new));
  }

  @Test
  void theExampleInTheHelpDoesWhatItSays() {
    String example =
        Shell.run("run", "--help")
            .out()
            .replaceAll(" [\\\\]\n *", " ")
            .lines()
            .filter(line -> line.startsWith("  portolan run") && line.contains("--backend exec"))
            .findFirst()
            .orElseThrow()
            .replace("examples/", Shell.EXAMPLES + "/")
            .replace(" -- ", " --once -- ");
    Result result = Shell.run(example.strip().substring("portolan ".length()).split(" "));
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.err()).contains("+ shop/web:http");
  }

  @Test
  void whatAProgramSaysOfItsFailureIsPassedOn() {
    Result result =
        run(
            "--once",
            "--",
            "sh",
            "-c",
            "while read line; do case $line in *end*)"
                + " echo '{\"failed\": 1, \"error\": \"no room\"}';; esac; done");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("no room");
  }

  private static Result run(String... options) {
    List<String> line =
        new ArrayList<>(List.of("run", "--from", "file:" + Shell.SHOP, "--node=worker-1"));
    if (!options[0].startsWith("--backend")) {
      line.add("--backend=exec");
    }
    line.addAll(List.of(options));
    return Shell.run(line.toArray(String[]::new));
  }
}
