package dev.portolan.backend.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.backend.exec.ExecOptions.Format;
import dev.portolan.backend.exec.ExecOptions.Mode;
import dev.portolan.core.backend.BackendException;
import dev.portolan.sync.Keeper;
import dev.portolan.sync.Observer;
import dev.portolan.testbase.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a program gets, what happens to its answers, and of its faults. */
@Timeout(120)
final class ExecBackendTest {
  private static final Duration SHORT = Duration.ofMillis(300);

  private final Shop shop = new Shop();
  private final Scripts scripts;

  ExecBackendTest(@TempDir Path folder) {
    scripts = new Scripts(folder);
  }

  private List<String> got() {
    return scripts.lines("got");
  }

  @Test
  void fullModeHasEveryServiceEachTime() {
    try (ExecBackend backend = new ExecBackend(scripts.sh(Scripts.OBEDIENT))) {
      Keeper keeper = shop.keeper(backend);
      keeper.once();
      shop.remove("shop", "web");
      keeper.once();
    }
    List<String> got = got();
    assertThat(got).filteredOn(line -> line.startsWith("{\"set\"")).hasSize(9 + 8);
    assertThat(got).filteredOn(line -> line.startsWith("{\"node\"")).hasSize(2);
    assertThat(got)
        .contains("{\"begin\":1,\"from\":0}", "{\"end\":1}", "{\"begin\":2,\"from\":0}")
        .noneMatch(line -> line.startsWith("{\"delete\""))
        .startsWith("start")
        .endsWith("{\"end\":2}", "end");
  }

  @Test
  void incrementalModeHasWhatIsDifferent() {
    try (ExecBackend backend =
        new ExecBackend(scripts.sh(Scripts.OBEDIENT).with(Mode.INCREMENTAL))) {
      Keeper keeper = shop.keeper(backend);
      keeper.once();
      int whole = got().size();
      shop.remove("shop", "web");
      shop.removeSlice("shop", "cart-x4t8n");
      keeper.once();

      List<String> change = got().subList(whole, got().size());
      assertThat(change)
          .hasSize(4)
          .startsWith(
              "{\"begin\":3,\"from\":1}", "{\"delete\":{\"namespace\":\"shop\",\"name\":\"web\"}}")
          .endsWith("{\"end\":3}");
      assertThat(change.get(2)).startsWith("{\"set\":{\"namespace\":\"shop\",\"name\":\"cart\"");
    }
  }

  @Test
  void theProgramKnowsItsNodeAndMode() {
    try (ExecBackend backend =
        new ExecBackend(
            scripts.sh("echo \"$PORTOLAN_NODE $PORTOLAN_MODE\" >>got\n" + Scripts.OBEDIENT))) {
      shop.keeper(backend).once();
    }
    assertThat(got()).startsWith("worker-1 full");
  }

  @Test
  void aFailureSaysWhatTheProgramSays() {
    String script =
        """
        while IFS= read -r line; do
          case $line in
            '{"begin":'*) printf '%s\\n' "$line" >>got ;;
            '{"end":'*)
              number=${line#*:}; number=${number%\\}}
              if [ -e broken ]; then
                echo "{\\"failed\\": $number, \\"error\\": \\"the table is \\\\\\"full\\\\\\"\\", \\"code\\": 3}"
              else
                echo "{\\"applied\\": $number}"
              fi ;;
          esac
        done
        """;
    try (ExecBackend backend = new ExecBackend(scripts.sh(script).with(Mode.INCREMENTAL))) {
      Keeper keeper = shop.keeper(backend);
      keeper.once();
      write("broken");
      shop.remove("shop", "web");
      assertThatThrownBy(keeper::once)
          .isInstanceOf(BackendException.class)
          .hasMessage("exec: the program 'sh' failed to apply revision 2: the table is \"full\"");
      delete("broken");
      keeper.once();
      shop.restore("shop", "web");
      keeper.once();
    }
    assertThat(got())
        .as("after a failure, everything; after that, differences again")
        .containsExactly(
            "{\"begin\":1,\"from\":0}",
            "{\"begin\":2,\"from\":1}",
            "{\"begin\":2,\"from\":0}",
            "{\"begin\":3,\"from\":2}");
  }

  @Test
  void whatElseItPrintsIsLogged() throws Exception {
    try (ExecBackend backend =
        new ExecBackend(
            scripts.sh(
                "echo hello\necho '{\"level\": \"info\"}'\nprintf 'red \\033[31m\\n' >&2\n"
                    + Scripts.OBEDIENT))) {
      shop.keeper(backend).once();
      Await.until("three lines", () -> scripts.log, log -> log.size() == 3);
    }
    assertThat(scripts.log)
        .containsExactlyInAnyOrder("sh: hello", "sh: {\"level\": \"info\"}", "sh: red \ufffd[31m");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"applied": 2}     | answered revision 2, asked was 1
          {"failed": 0}      | answered revision 0, asked was 1
          {"applied": "1"}   | : this answer to revision 1 was not understood: {"applied": "1"}; its revision must be a whole number, as in {"applied": 1}
          {"applied": 1      | : this answer to revision 1 was not understood: {"applied": 1; it must be one object of JSON, with no object or list inside, as in {"applied": 1}
          {"applied": {"revision": 1}} | : this answer to revision 1 was not understood: {"applied": {"revision": 1}}; it must be one object of JSON, with no object or list inside, as in {"applied": 1}
          """)
  void anAnswerThatIsAlmostRightIsSaidAtOnce(String answer, String problem) {
    // Waiting for the timeout would take too long for this test.
    ExecOptions options =
        scripts
            .sh(
                "while read -r line; do case $line in '{\"end\":'*) echo '%s' ;; esac; done"
                    .formatted(answer))
            .withTimeout(Duration.ofDays(1));
    try (ExecBackend backend = new ExecBackend(options)) {
      Keeper keeper = shop.keeper(backend);
      String sentence = "exec: the program 'sh'" + (problem.startsWith(":") ? "" : " ") + problem;
      assertThatThrownBy(keeper::once).hasMessage(sentence);
      assertThatThrownBy(keeper::once).as("asked again").hasMessage(sentence);
    }
    assertThat(scripts.log).isEmpty();
  }

  @Test
  void anAnswerThatIsRepeatedIsNotTakenForTheNext() {
    String twice =
        "while read -r line; do case $line in '{\"end\":'*) n=${line#*:}; n=${n%?}; [ $n = 1 ] ||"
            + " echo '{\"applied\": 1}'; echo \"{\\\"applied\\\": $n}\" ;; esac; done";
    try (ExecBackend backend = new ExecBackend(scripts.sh(twice))) {
      Keeper keeper = shop.keeper(backend);
      keeper.once();
      shop.remove("shop", "web");
      keeper.once();
    }
    assertThat(scripts.log).containsExactly("sh: {\"applied\": 1}");
  }

  @Test
  void whereNoAnswerIsWantedNoneIsWrong() {
    try (ExecBackend backend =
        new ExecBackend(
            scripts.sh("cat >/dev/null; echo '{\"applied\": \"9\"}'").with(Mode.CALL))) {
      shop.keeper(backend).once();
    }
    assertThat(scripts.log).containsExactly("sh: {\"applied\": \"9\"}");
  }

  /** Ctrl-C, and what stops a service, send a signal to the program and to this process at once. */
  @Test
  void aSignalToTheProgramAndToUsIsNoFailure() throws Exception {
    String script = "echo $$ >pid\n" + Scripts.OBEDIENT;
    List<String> told = new CopyOnWriteArrayList<>();
    ExecOptions options = scripts.sh(script).withGrace(Duration.ofHours(1));
    try (ExecBackend backend = new ExecBackend(options)) {
      Thread thread = start(shop.keeper(backend, told(told)));
      Await.until("a line", this::got, got -> got.contains("{\"end\":1}"));
      ProcessHandle program =
          ProcessHandle.of(Long.parseLong(scripts.lines("pid").getFirst())).orElseThrow();
      program.destroy();
      program.onExit().join();
      thread.interrupt();
      thread.join();
    }
    assertThat(scripts.log).isEmpty();
    assertThat(told).isEmpty();
  }

  @Test
  void aSignalDuringASyncIsNoFailureEither() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    ExecOptions options =
        scripts.sh("echo $$ >pid\nexec sleep 1000").withGrace(Duration.ofHours(1));
    try (ExecBackend backend = new ExecBackend(options)) {
      Thread thread = start(shop.keeper(backend, told(told)));
      Await.until("its pid", () -> !scripts.lines("pid").isEmpty());
      ProcessHandle program =
          ProcessHandle.of(Long.parseLong(scripts.lines("pid").getFirst())).orElseThrow();
      program.destroy();
      program.onExit().join();
      thread.interrupt();
      thread.join();
    }
    assertThat(told).isEmpty();
  }

  private static Observer told(List<String> to) {
    return new Observer() {
      @Override
      public void failed(BackendException failure, Duration took, Duration pause) {
        to.add(String.valueOf(failure.getMessage()));
      }

      @Override
      public void notRepaired(BackendException failure) {
        to.add(String.valueOf(failure.getMessage()));
      }
    };
  }

  @Test
  void aProgramThatDoesNotAnswerNeedsNot() throws Exception {
    try (ExecBackend backend =
        new ExecBackend(scripts.sh("cat >got").withoutAnswers().with(Mode.INCREMENTAL))) {
      Keeper keeper = shop.keeper(backend);
      keeper.once();
      shop.remove("shop", "web");
      keeper.once();
      Await.until("a line", this::got, got -> got.contains("{\"end\":2}"));
    }
    assertThat(got()).contains("{\"begin\":2,\"from\":1}");
  }

  @Test
  void aProgramThatIsSilentIsKilled() throws Exception {
    try (ExecBackend backend =
        new ExecBackend(
            scripts.sh("echo $$ >pid\ncat >/dev/null").withTimeout(Duration.ofSeconds(2)))) {
      assertThatThrownBy(() -> shop.keeper(backend).once())
          .isInstanceOf(BackendException.class)
          .hasMessage(
              "exec: the program 'sh' did not answer to revision 1 (does it read its input and"
                  + " flush its output?) within 2 s, and was killed; the next sync restarts it");
      long pid = Long.parseLong(scripts.lines("pid").getFirst());
      Await.until(
          "its end", () -> ProcessHandle.of(pid).map(handle -> !handle.isAlive()).orElse(true));
    }
  }

  @Test
  void aProgramThatDoesNotReadBlocksNobody() {
    // More than a pipe holds, so that writing cannot end.
    try (Large large = new Large();
        ExecBackend backend =
            new ExecBackend(scripts.sh("sleep 1000").withoutAnswers().withTimeout(SHORT))) {
      assertThatThrownBy(() -> large.keeper(backend).once())
          .hasMessageContaining("did not read revision 1 within 300 ms, and was killed");
    }
  }

  @Test
  void aProgramThatEndsIsNamedWithItsLastWords() {
    try (ExecBackend backend =
        new ExecBackend(
            scripts.sh("read -r line\necho first >&2\necho 'no such table' >&2\nexit 3"))) {
      assertThatThrownBy(() -> shop.keeper(backend).once())
          .hasMessage(
              "exec: the program 'sh' exited with status 3; its last line: no such table, while"
                  + " reading revision 1");
    }
    assertThat(scripts.log).contains("sh: first", "sh: no such table");
  }

  @Test
  void aProgramThatClosesItsInputIsGivenUp() {
    try (Large large = new Large();
        ExecBackend backend =
            new ExecBackend(scripts.sh("exec 0</dev/null\nexec sleep 1000").withGrace(SHORT))) {
      assertThatThrownBy(() -> large.keeper(backend).once())
          .hasMessageContaining("closed its standard input while reading revision 1");
    }
  }

  @Test
  void aProgramThatAnswersAndEndsHasApplied() {
    try (Large large = new Large();
        ExecBackend backend = new ExecBackend(scripts.sh("read -r line; echo '{\"applied\":1}'"))) {
      large.keeper(backend).once();
    }
  }

  @Test
  void afterItsEndTheProgramGetsEverythingAgain() throws Exception {
    String diesOnce =
        "echo $$ >pid\nif [ ! -e died ]; then read -r line; touch died; exit 1; fi\n"
            + Scripts.OBEDIENT;
    try (ExecBackend backend = new ExecBackend(scripts.sh(diesOnce).with(Mode.INCREMENTAL))) {
      Keeper keeper = shop.keeper(backend);
      assertThatThrownBy(keeper::once)
          .hasMessageContaining("exited with status 1 without output on standard error");
      keeper.once();
      assertThat(got()).startsWith("start", "{\"begin\":1,\"from\":0}").endsWith("{\"end\":1}");
    }
  }

  @Test
  void aProgramThatEndsBetweenTwoChangesIsRevived() throws Exception {
    String script = "echo $$ >pid\n" + Scripts.OBEDIENT;
    try (ExecBackend backend = new ExecBackend(scripts.sh(script).with(Mode.INCREMENTAL))) {
      Thread thread = start(shop.keeper(backend));
      Await.until("a line", this::got, got -> got.contains("{\"end\":1}"));
      ProcessHandle.of(Long.parseLong(scripts.lines("pid").getFirst()))
          .orElseThrow()
          .destroyForcibly();
      Await.until("two of them", () -> got().stream().filter("{\"end\":1}"::equals).count() == 2);
      assertThat(scripts.log)
          .contains(
              "exec: the program 'sh' exited with status 137 (signal 9) without output on standard"
                  + " error; restarting it");
      shop.remove("shop", "web");
      Await.until("a line", this::got, got -> got.contains("{\"begin\":2,\"from\":1}"));
      thread.interrupt();
      thread.join();
    }
  }

  @Test
  void theKeeperAndThePauseWorkTogether() throws Exception {
    String diesThrice =
        "echo x >>starts\n[ $(wc -l <starts) -gt 3 ] || exit 1\n" + Scripts.OBEDIENT;
    try (ExecBackend backend = new ExecBackend(scripts.sh(diesThrice))) {
      Thread thread = start(shop.keeper(backend));
      // Changes come all the time; each wakes the keeper, and none may start the program early.
      Await.until(
          "the end of a change",
          () -> {
            shop.remove("shop", "web");
            shop.restore("shop", "web");
            return got().stream().anyMatch(line -> line.startsWith("{\"end\""));
          });
      thread.interrupt();
      thread.join();
    }
    assertThat(scripts.lines("starts")).hasSize(4);
  }

  private static Thread start(Keeper keeper) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            keeper.run();
          } catch (InterruptedException e) {
            // The end of the test.
          }
        });
  }

  @Test
  void aSyncCanBeInterrupted() throws Exception {
    try (ExecBackend backend =
        new ExecBackend(scripts.sh("touch stuck; cat >/dev/null").withGrace(SHORT))) {
      Keeper keeper = shop.keeper(backend);
      Thread thread =
          Thread.ofPlatform()
              .start(() ->
                  assertThatThrownBy(keeper::once)
                      .hasMessageContaining("interrupted while waiting for it"));
      Await.until("it is stuck", () -> Files.exists(scripts.path("stuck")));
      thread.interrupt();
      thread.join();
    }
  }

  @Test
  void whatCannotBeStartedIsSaid() throws Exception {
    Path text = Files.writeString(scripts.path("plain.txt"), "hello");

    assertThatThrownBy(() -> start("/no/such/program"))
        .hasMessage(
            "exec: the program '/no/such/program' cannot be started: no such file, or the"
                + " interpreter in its first line is missing; check the path");
    assertThatThrownBy(() -> start(text.toString()))
        .hasMessageEndingWith("it is not executable; run chmod +x");
  }

  private void start(String program) {
    try (ExecBackend backend = new ExecBackend(ExecOptions.of(List.of(program)))) {
      shop.keeper(backend).once();
    }
  }

  @Test
  void cleanupAsksTheProgramAndEndsIt() {
    try (ExecBackend backend = new ExecBackend(scripts.sh(Scripts.OBEDIENT))) {
      shop.keeper(backend).once();
      backend.cleanup();
      assertThat(got()).endsWith("{\"end\":1}", "{\"cleanup\":true}", "end");
    }
  }

  @Test
  void cleanupStartsAProgramThatDoesNotRun() {
    try (ExecBackend backend = new ExecBackend(scripts.sh(Scripts.OBEDIENT))) {
      backend.cleanup();
    }
    assertThat(got()).containsExactly("start", "{\"cleanup\":true}", "end");
  }

  @Test
  void aCleanupThatFailsIsSaid() {
    try (ExecBackend backend =
        new ExecBackend(scripts.sh("read -r line; echo '{\"failed\":0,\"error\":\"busy\"}'"))) {
      assertThatThrownBy(backend::cleanup)
          .hasMessage("exec: the program 'sh' failed to apply the cleanup request: busy");
    }
    try (ExecBackend backend = new ExecBackend(scripts.sh("cat >/dev/null; exit 4"))) {
      assertThatThrownBy(backend::cleanup).hasMessageContaining("exited with status 4");
    }
  }

  @Test
  void aStubbornProgramIsEndedAllTheSame() throws Exception {
    String stubborn =
        """
        trap '' TERM
        echo $$ >pid
        while IFS= read -r line; do
          case $line in '{"end":'*) echo '{"applied":1}' ;; esac
        done
        while :; do sleep 1; done
        """;
    long pid;
    try (ExecBackend backend = new ExecBackend(scripts.sh(stubborn).withGrace(SHORT))) {
      shop.keeper(backend).once();
      pid = Long.parseLong(scripts.lines("pid").getFirst());
    }
    Await.until(
        "its end", () -> ProcessHandle.of(pid).map(handle -> !handle.isAlive()).orElse(true));
  }

  @Test
  void theChildrenOfAStubbornProgramEndWithIt() throws Exception {
    String parent = "sleep 1000 & echo $! >pid\n" + Scripts.OBEDIENT + "wait\n";
    long child;
    try (ExecBackend backend = new ExecBackend(scripts.sh(parent).withGrace(SHORT))) {
      shop.keeper(backend).once();
      child = Long.parseLong(scripts.lines("pid").getFirst());
    }
    Await.until(
        "its end", () -> ProcessHandle.of(child).map(handle -> !handle.isAlive()).orElse(true));
  }

  @Test
  void aClosedBackendStartsNothing() {
    ExecBackend backend = new ExecBackend(scripts.sh(Scripts.OBEDIENT));
    backend.close();
    assertThatThrownBy(() -> shop.keeper(backend).once()).hasMessageContaining("is closed");
    assertThat(got()).isEmpty();
  }

  @Test
  void callModeStartsTheProgramForEachChange() {
    try (ExecBackend backend =
        new ExecBackend(scripts.sh("echo call >>got; cat >>got").with(Mode.CALL))) {
      Keeper keeper = shop.keeper(backend);
      keeper.once();
      shop.remove("shop", "web");
      keeper.once();
      backend.cleanup();
    }
    assertThat(got()).filteredOn("call"::equals).hasSize(3);
    assertThat(got())
        .contains("{\"begin\":1,\"from\":0}", "{\"begin\":2,\"from\":0}")
        .endsWith("call", "{\"cleanup\":true}");
  }

  @Test
  void callModeTakesTheStatusForAnAnswer() {
    try (ExecBackend backend =
        new ExecBackend(
            scripts.sh("cat >/dev/null; echo 'out of rules' >&2; exit 9").with(Mode.CALL))) {
      assertThatThrownBy(() -> shop.keeper(backend).once())
          .hasMessage(
              "exec: the program 'sh' exited with status 9; its last line: out of rules, while"
                  + " reading revision 1");
    }
    try (ExecBackend backend =
        new ExecBackend(scripts.sh("exec sleep 1000").with(Mode.CALL).withTimeout(SHORT))) {
      assertThatThrownBy(() -> shop.keeper(backend).once())
          .hasMessageContaining("did not end with revision 1 within 300 ms, and was killed");
    }
  }

  @Test
  void kpngProgramsAreCalledWithServicesAlone() {
    try (ExecBackend backend =
        new ExecBackend(scripts.sh("cat >>got").with(Mode.CALL).with(Format.KPNG))) {
      shop.keeper(backend).once();
    }
    assertThat(got()).hasSize(9).allMatch(line -> line.startsWith("{\"Service\":{\"Namespace\":"));
  }

  @Test
  void kpngLinesOfARunningProgramAreFramed() {
    try (ExecBackend backend = new ExecBackend(scripts.sh(Scripts.OBEDIENT).with(Format.KPNG))) {
      shop.keeper(backend).once();
    }
    assertThat(got())
        .startsWith("start", "{\"begin\":1,\"from\":0}")
        .endsWith("{\"end\":1}", "end")
        .hasSize(9 + 4);
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    ExecOptions options = ExecOptions.of(List.of("true"));
    assertThatThrownBy(() -> options.with(Mode.INCREMENTAL).with(Format.KPNG))
        .hasMessageContaining("the format kpng cannot express that a service is gone");
    assertThatThrownBy(() -> ExecOptions.of(List.of())).hasMessageContaining("no program");
  }

  private void write(String file) {
    try {
      Files.writeString(scripts.path(file), "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void delete(String file) {
    try {
      Files.delete(scripts.path(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
