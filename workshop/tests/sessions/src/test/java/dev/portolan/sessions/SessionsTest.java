package dev.portolan.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.CommandRun;
import dev.portolan.sessions.Session.Command;
import dev.portolan.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every session prints what its file has; {@code -Dportolan.sessions=write} rewrites the files. */
final class SessionsTest {
  private static final Path PLACE = Path.of("").toAbsolutePath();
  private static final Path MODULE = PLACE.getParent().getParent();
  private static final Path SESSIONS = MODULE.resolve("src/test/resources/sessions");
  private static final Path SHOP = MODULE.resolve("../../../examples/shop");
  private static final String ENDING = ".session";

  /** After this many lines, it is clear what differs. */
  private static final int FEW = 5;

  private static List<Path> sessions() throws IOException {
    try (Stream<Path> files = Files.walk(SESSIONS)) {
      return files.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
    }
  }

  private static String name(Path session) {
    String path = SESSIONS.relativize(session).toString();
    return path.substring(0, path.length() - ENDING.length());
  }

  @TestFactory
  Stream<DynamicTest> everySessionPrintsWhatItSays() throws IOException {
    return sessions().stream()
        .map(file -> DynamicTest.dynamicTest(name(file), file.toUri(), () -> check(file)));
  }

  @Test
  void aFolderIsCalledLikeItsCommand() throws IOException {
    for (Path file : sessions()) {
      List<Command> commands = Session.parse(Files.readString(file)).commands();
      assertThat(commands)
          .as(name(file))
          .extracting(command -> command.words().getFirst())
          .contains(file.getParent().getFileName().toString());
    }
  }

  private static void check(Path file) throws IOException {
    String expected = Files.readString(file);
    String seen = play(Session.parse(expected));
    if (System.getProperty("portolan.sessions", "").equals("write") && !seen.equals(expected)) {
      Files.writeString(file, seen);
      expected = seen;
    }
    List<String> said = expected.lines().toList();
    List<String> printed = seen.lines().toList();
    int same = 0;
    while (same < Math.min(said.size(), printed.size())
        && said.get(same).equals(printed.get(same))) {
      same++;
    }
    assertThat(printed.stream().skip(same).limit(FEW).toList())
        .as(
            "%s:%d; where this is right, -Dportolan.sessions=write writes it, and git diff shows it",
            MODULE.relativize(file), same + 1)
        .isEqualTo(said.stream().skip(same).limit(FEW).toList());
  }

  /** Runs the commands of a session; its text, with what they print now. */
  private static String play(Session session) throws IOException {
    prepare(session);
    List<String> text = new ArrayList<>(session.head());
    for (Command command : session.commands()) {
      if (text.size() > session.head().size()) {
        text.add("");
      }
      text.add(command.line());
      run(command, session, text);
    }
    return String.join("\n", text) + "\n";
  }

  /** Leaves nothing in the place but the files of the session, and the shop if it is named. */
  private static void prepare(Session session) throws IOException {
    try (Stream<Path> old = Files.walk(PLACE)) {
      for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(PLACE)) {
          Files.delete(path);
        }
      }
    }
    if (session.commands().stream().anyMatch(command -> command.line().contains("file:shop"))) {
      Path copy = Files.createDirectory(PLACE.resolve("shop"));
      try (Stream<Path> files = Files.list(SHOP)) {
        for (Path file : files.toList()) {
          Files.copy(file, copy.resolve(file.getFileName()));
        }
      }
    }
    for (String name : session.files().keySet()) {
      Path file = PLACE.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, session.files().get(name));
    }
  }

  private static void run(Command command, Session session, List<String> text) throws IOException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    PrintWriter remarks = new PrintWriter(err, true);
    Terminal terminal =
        session.columns().isPresent()
            ? Terminal.screen(new PrintWriter(out), remarks, session.columns().getAsInt())
            : Terminal.plain(new PrintWriter(out), remarks);
    InputStream keyboard = System.in;
    System.setIn(
        new ByteArrayInputStream(
            command.input() == null
                ? new byte[0]
                : Files.readAllBytes(PLACE.resolve(command.input()))));
    int status;
    try {
      status = CommandRun.run(command.words().toArray(String[]::new), terminal);
    } finally {
      System.setIn(keyboard);
    }
    if (command.output() == null) {
      add(out.toString(), "", text);
    } else {
      Files.writeString(PLACE.resolve(command.output()), out.toString());
    }
    add(err.toString(), "! ", text);
    if (status != 0) {
      text.add("exit " + status);
    }
  }

  private static void add(String printed, String mark, List<String> text) {
    printed.lines().forEach(line -> text.add(mark + line.replace('\u001b', '␛')));
    if (!printed.isEmpty() && !printed.endsWith("\n")) {
      text.add("\\ no end of line");
    }
  }
}
