package dev.portolan.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Session.Command;
import dev.portolan.testbase.Golden;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TimeZone;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every session prints what its file has; {@code -Dupdate} rewrites the files. */
final class SessionsTest {
  private static final Path PLACE = Path.of("").toAbsolutePath();
  private static final Path MODULE = PLACE.getParent().getParent();
  private static final Path SESSIONS = MODULE.resolve("src/test/resources/sessions");
  private static final Path ROOT = MODULE.resolve("../../..").normalize();
  private static final Path SHOP = ROOT.resolve("examples/shop");
  private static final String ENDING = ".session";

  /** After this many lines, it is clear what differs. */
  private static final int FEW = 5;

  @BeforeAll
  static void setTimeZone() {
    TimeZone.setDefault(TimeZone.getTimeZone(ZoneOffset.UTC));
  }

  private static List<Path> sessions() throws IOException {
    try (Stream<Path> files = Files.walk(SESSIONS)) {
      return files.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
    }
  }

  private static Session read(Path file) {
    try {
      return Session.parse(Files.readString(file));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException(file.toString(), e);
    }
  }

  private static String name(Path session) {
    String path = SESSIONS.relativize(session).toString();
    return path.substring(0, path.length() - ENDING.length());
  }

  @TestFactory
  Stream<DynamicTest> everySessionPrintsWhatItSays() throws IOException {
    return tests(false);
  }

  @TestFactory
  @NeedsKernel(tools = {"ip", "nft", "iptables-nft-restore"})
  Stream<DynamicTest> everySessionInAKernelPrintsWhatItSays() throws IOException {
    return tests(true);
  }

  private static Stream<DynamicTest> tests(boolean inKernel) throws IOException {
    return sessions().stream()
        .filter(file -> SessionShell.needsKernel(read(file)) == inKernel)
        .map(file -> DynamicTest.dynamicTest(name(file), file.toUri(), () -> check(file)));
  }

  @Test
  void aFolderIsCalledLikeItsCommand() throws IOException {
    for (Path file : sessions()) {
      assertThat(read(file).commands())
          .as(name(file))
          .extracting(command -> command.words().stream().findFirst().orElse(""))
          .contains(file.getParent().getFileName().toString());
    }
  }

  /** What programs read is public, so a session holds each kind of it. */
  @Test
  void everyKindOfOutputHasASession() throws IOException {
    String text = Files.readString(ROOT.resolve("docs/output.md"));
    List<String> kinds =
        Pattern.compile("(?m)^\\| (`[A-Z][^|]*) \\|")
            .matcher(text.substring(text.indexOf("\n## Kinds\n")))
            .results()
            .flatMap(row -> Pattern.compile("`(\\w+)`").matcher(row.group(1)).results())
            .map(kind -> kind.group(1))
            .toList();
    assertThat(kinds).hasSizeGreaterThan(20);
    assertThat(sessions().stream().flatMap(file -> printedKinds(read(file))).distinct())
        .containsAll(kinds);
  }

  private static Stream<String> printedKinds(Session session) {
    return session.commands().stream()
        .filter(command -> command.line().matches(".* -o (json|items)( .*)?"))
        .map(command -> String.join("\n", command.said()))
        .flatMap(said -> Pattern.compile("\"kind\": ?\"(\\w+)\"").matcher(said).results())
        .map((MatchResult kind) -> kind.group(1));
  }

  private static void check(Path file) throws IOException, InterruptedException {
    String expected = Files.readString(file);
    String seen = play(Session.parse(expected));
    if (Golden.UPDATE && !seen.equals(expected)) {
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
            "%s:%d; where this is right, -Dupdate writes it, and git diff shows it",
            MODULE.relativize(file), same + 1)
        .isEqualTo(said.stream().skip(same).limit(FEW).toList());
  }

  /** Runs the commands of a session; its text, with what they print now. */
  private static String play(Session session) throws IOException, InterruptedException {
    prepare(session);
    List<String> text = new ArrayList<>(session.head());
    try (SessionShell shell = new SessionShell(PLACE, session, Golden.UPDATE)) {
      shell.write(session.files());
      for (Command command : session.commands()) {
        if (text.size() > session.head().size()) {
          text.add("");
        }
        text.add(command.line());
        text.addAll(shell.run(command));
        if (!command.changes().isEmpty()) {
          text.add("");
          text.addAll(command.changes());
          shell.write(command.files());
        }
      }
    }
    return String.join("\n", text) + "\n";
  }

  /** Leaves nothing in the place but the shop and the recording of its day, if they are named. */
  private static void prepare(Session session) throws IOException {
    try (Stream<Path> old = Files.walk(PLACE)) {
      for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(PLACE)) {
          Files.delete(path);
        }
      }
    }
    if (names(session, "shop.rec")) {
      Files.copy(ROOT.resolve("examples/recordings/shop.rec"), PLACE.resolve("shop.rec"));
    }
    if (names(session, "file:shop")) {
      Path copy = Files.createDirectory(PLACE.resolve("shop"));
      try (Stream<Path> files = Files.list(SHOP)) {
        for (Path file : files.toList()) {
          Files.copy(file, copy.resolve(file.getFileName()));
        }
      }
    }
  }

  private static boolean names(Session session, String source) {
    return session.commands().stream().anyMatch(command -> command.line().contains(source));
  }
}
