package dev.portolan.backend.exec;

import dev.portolan.testbase.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Programs for one test, and what they left: each line that they got, and what was logged. */
final class Scripts {
  /** Keeps each line, and answers at the end of each change. */
  static final String OBEDIENT =
      """
      echo start >>got
      while IFS= read -r line; do
        printf '%s\\n' "$line" >>got
        case $line in
          '{"end":'*) number=${line#*:}; echo "{\\"applied\\": ${number%\\}}}" ;;
          '{"cleanup":'*) echo '{"applied": 0}' ;;
        esac
      done
      echo end >>got
      """;

  private static final Duration PATIENCE = Await.PATIENCE;

  final List<String> log = new CopyOnWriteArrayList<>();
  private final Path folder;

  Scripts(Path folder) {
    this.folder = folder;
  }

  /** Runs {@code script} with sh, in the test's folder. */
  ExecOptions sh(String script) {
    try {
      Path file = Files.writeString(folder.resolve("script.sh"), "cd " + folder + "\n" + script);
      return ExecOptions.of(List.of("sh", file.toString())).withTimeout(PATIENCE).withLog(log::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines of a file in the test's folder; none where it is not there. */
  List<String> lines(String file) {
    try {
      Path path = folder.resolve(file);
      return Files.exists(path) ? Files.readAllLines(path) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path path(String file) {
    return folder.resolve(file);
  }
}
