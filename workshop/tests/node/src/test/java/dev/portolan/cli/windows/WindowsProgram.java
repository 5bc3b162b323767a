package dev.portolan.cli.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The program in a process of its own, which notes the classes that it loads. */
final class WindowsProgram implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final Process process;
  private final Path output;
  private final Path classes;

  private WindowsProgram(Process process, Path output, Path classes) {
    this.process = process;
    this.output = output;
    this.classes = classes;
  }

  /**
   * Starts the program with {@code arguments}.
   *
   * @param folder for its output, its lock, and what Java has to know
   */
  static WindowsProgram start(Path folder, Map<String, String> environment, String... arguments) {
    try {
      Path output = Files.createTempFile(folder, "output", ".txt");
      Path classes = Files.createTempFile(folder, "classes", ".txt");
      List<String> words =
          new ArrayList<>(
              List.of(
                  java().toString(),
                  "@" + options(folder),
                  // A colon ends the name of a file in this option, unless it is quoted.
                  "-Xlog:class+load:file=\"" + classes + "\"",
                  "dev.portolan.cli.Main"));
      words.addAll(List.of(arguments));
      return new WindowsProgram(process(folder, environment, words, output), output, classes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Process process(
      Path folder, Map<String, String> environment, List<String> words, Path output)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("ProgramData", folder.toString());
    builder.environment().putAll(environment);
    return builder.redirectOutput(output.toFile()).start();
  }

  static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java.exe");
  }

  /** A file with the class path, which is too long for a command line of Windows. */
  private static Path options(Path folder) throws IOException {
    return Files.writeString(
        folder.resolve("options"),
        """
        -XX:+UseSerialGC
        -XX:TieredStopAtLevel=1
        -XX:-PrintWarnings
        --enable-native-access=ALL-UNNAMED
        -cp "%s"
        """
            .formatted(System.getProperty("java.class.path").replace('\\', '/')));
  }

  /** Waits until it has ended by itself; returns its exit status. */
  int end() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("it ends").isTrue();
    return process.exitValue();
  }

  /** Presses Ctrl-C; returns the exit status. */
  int stop() throws IOException, InterruptedException {
    assertThat(
            new ProcessBuilder("stop.exe", Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
    return end();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What it has printed. */
  String output() throws IOException {
    return Files.readString(output);
  }

  /** The classes that it has loaded and must not, because they are about Linux. */
  List<String> linuxClasses() throws IOException {
    List<String> lines = Files.readAllLines(classes);
    assertThat(lines)
        .as("classes are noted")
        .anyMatch(line -> line.contains("dev.portolan.cli.Main"));
    return lines.stream()
        .filter(line -> line.matches(".*\\bdev\\.portolan\\.(netlink|nftables|bpf)\\..*"))
        .toList();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
