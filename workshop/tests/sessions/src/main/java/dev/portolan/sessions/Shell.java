package dev.portolan.sessions;

import dev.portolan.cli.CommandRun;
import dev.portolan.terminal.Terminal;
import dev.portolan.testbase.RepositoryRoot;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Runs the real command line inside the test's process. */
public final class Shell {
  /** The folder of all examples. */
  public static final Path EXAMPLES = RepositoryRoot.resolve("examples");

  /** The example cluster. */
  public static final Path SHOP = EXAMPLES.resolve("shop");

  private Shell() {}

  /** What a command left behind. */
  public record Result(int status, String out, String err) {
    /** The lines that it printed. */
    public List<String> lines() {
      return out.lines().toList();
    }

    /** The output read as YAML, and so as JSON too. */
    public Map<String, Object> tree() {
      return Shell.tree(out);
    }
  }

  /** Runs a command. */
  public static Result run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        CommandRun.run(args, Terminal.plain(new PrintWriter(out), new PrintWriter(err, true)));
    return new Result(status, out.toString(), err.toString());
  }

  /** Runs a command on a terminal of that many columns. */
  public static Result onScreen(int columns, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        CommandRun.run(
            args, Terminal.screen(new PrintWriter(out), new PrintWriter(err, true), columns));
    return new Result(status, out.toString(), err.toString());
  }

  /** Runs a command over the example cluster, as one of its nodes. */
  public static Result shop(String node, String command, String... args) {
    return over(SHOP, command, Stream.concat(Stream.of("--node", node), Arrays.stream(args)));
  }

  /** Runs a command over a folder or file. */
  public static Result over(Path path, String command, String... args) {
    return over(path, command, Arrays.stream(args));
  }

  private static Result over(Path path, String command, Stream<String> args) {
    return run(
        Stream.concat(Stream.of(command, "--from", "file:" + path), args).toArray(String[]::new));
  }

  /** What was printed for programs. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> tree(String text) {
    return (Map<String, Object>) new Load(LoadSettings.builder().build()).loadFromString(text);
  }

  /** A list inside of it. */
  @SuppressWarnings("unchecked")
  public static List<Map<String, Object>> list(Object value) {
    return (List<Map<String, Object>>) value;
  }

  /** A part of it. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }

  /** Writes {@code text} into a file of {@code folder} and returns the folder. */
  public static Path write(Path folder, String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
    return folder;
  }
}
