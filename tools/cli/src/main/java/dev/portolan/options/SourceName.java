package dev.portolan.options;

import dev.portolan.api.transport.Address;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** One source as a user wrote it after {@code --from}. */
sealed interface SourceName {
  /** The forms that there are, as a remedy. */
  String FORMS =
      "write file:PATH for a manifest file or folder, file:- for standard input, kube for the"
          + " cluster that kubectl uses, kube:KUBECONFIG, api:ADDRESS for the cluster of a brain,"
          + " or record:PATH[@TIME] for a recording";

  /** A file or folder. */
  record Manifest(Path path) implements SourceName {}

  /** What is piped into this process. */
  record StandardInput() implements SourceName {}

  /** An API server, by a kubeconfig file; an empty name means the usual ones. */
  record Kube(String kubeconfig) implements SourceName {}

  /** Another brain. */
  record Brain(Address address) implements SourceName {}

  /**
   * A recording.
   *
   * @param point a time or revision in it; empty where none was written
   */
  record Recorded(Path path, String point) implements SourceName {}

  /** Reads what was written. */
  static SourceName parse(String text) {
    int colon = text.indexOf(':');
    String kind = colon < 0 ? text : text.substring(0, colon);
    String rest = colon < 0 ? "" : text.substring(colon + 1);
    return switch (kind) {
      case "file" -> file(text, rest);
      case "kube" -> {
        if (colon >= 0 && rest.isEmpty()) {
          throw wrong("'kube:' has no kubeconfig file");
        }
        yield new Kube(home(rest));
      }
      case "record" -> record(text, rest);
      case "api" -> new Brain(ApiOptions.address("--from", rest));
      default -> {
        Optional<String> path = existing(text);
        if (path.isPresent()) {
          throw CommandFailure.usage(
              "--from: '"
                  + Text.printable(text)
                  + "' has no kind of source; did you mean file:"
                  + Text.printable(path.get())
                  + "?");
        }
        throw wrong(
            colon > 1 && kind.chars().allMatch(Character::isLetterOrDigit)
                ? "unknown source '" + kind + "'"
                : "'" + text + "' does not start with a kind of source");
      }
    };
  }

  private static SourceName file(String text, String rest) {
    if (rest.equals("-")) {
      return new StandardInput();
    }
    if (rest.isEmpty()) {
      throw wrong("'" + text + "' has no path");
    }
    // file:///etc/x is a URL; file://d1 is what people write who think of one.
    String bare = rest.startsWith("//") ? rest.substring(2) : rest;
    try {
      return new Manifest(Path.of(home(bare)));
    } catch (InvalidPathException e) {
      throw wrong("'" + text + "' is not a valid path");
    }
  }

  /** What is behind the last @ is a point, unless a file of the whole name exists. */
  private static SourceName record(String text, String rest) {
    int at = rest.lastIndexOf('@');
    boolean whole = at < 0 || existing(rest).isPresent();
    String path = whole ? rest : rest.substring(0, at);
    String point = whole ? "" : rest.substring(at + 1);
    if (path.isEmpty()) {
      throw wrong("'" + text + "' has no path");
    }
    if (!whole && point.isEmpty()) {
      throw wrong("'" + text + "' has no time or revision behind the @");
    }
    try {
      return new Recorded(Path.of(home(path)), point);
    } catch (InvalidPathException e) {
      throw wrong("'" + text + "' is not a valid path");
    }
  }

  /** A path with the home folder in place of a tilde, which no shell replaces behind a colon. */
  private static String home(String path) {
    return path.equals("~") || path.startsWith("~/")
        ? System.getProperty("user.home") + path.substring(1)
        : path;
  }

  private static Optional<String> existing(String text) {
    try {
      return Files.exists(Path.of(home(text))) ? Optional.of(text) : Optional.empty();
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static CommandFailure wrong(String problem) {
    return CommandFailure.usage("--from: " + Text.printable(problem) + "; " + FORMS);
  }
}
