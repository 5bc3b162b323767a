package dev.portolan.sessions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a user sees, as a text: a sentence, files that are there, and commands.
 *
 * @param head all lines before the first command
 * @param columns how wide the terminal is, if it is one and not a pipe
 */
record Session(
    List<String> head, OptionalInt columns, Map<String, String> files, List<Command> commands) {
  private static final Pattern SECTION = Pattern.compile("-- (\\S+) --");
  private static final Pattern COLUMNS = Pattern.compile("columns: (\\d+)");
  private static final String OPTIONS = "options";
  private static final String PROMPT = "$ ";

  /**
   * A command.
   *
   * @param line as it was written
   * @param program the first word: {@code portolan}, or what the shell does with commands in the
   *     background, {@code fg} and {@code kill}
   * @param words its other words
   * @param input the file that it reads in place of the keyboard
   * @param output the file that it writes in place of the screen
   * @param background whether the next command does not wait for its end
   * @param said what it printed when the session was written
   * @param changes the lines after that, about files that are written before the next command
   */
  record Command(
      String line,
      String program,
      List<String> words,
      @Nullable String input,
      @Nullable String output,
      boolean background,
      List<String> said,
      List<String> changes) {
    /** The files that are written before the next command. */
    Map<String, String> files() {
      return sections(changes);
    }
  }

  static Session parse(String text) {
    List<String> lines = text.lines().toList();
    List<String> head = lines.stream().takeWhile(line -> !line.startsWith(PROMPT)).toList();
    if (head.isEmpty() || head.getFirst().isBlank() || SECTION.matcher(head.getFirst()).matches()) {
      throw new IllegalArgumentException(
          "a session begins with a sentence that says what it shows");
    }
    Map<String, String> files = sections(head);
    OptionalInt columns = OptionalInt.empty();
    String options = files.remove(OPTIONS);
    if (options != null) {
      Matcher option = COLUMNS.matcher(options.strip());
      if (!option.matches()) {
        throw new IllegalArgumentException("the only option is 'columns: NUMBER'");
      }
      columns = OptionalInt.of(Integer.parseInt(option.group(1)));
    }
    List<Command> commands = new ArrayList<>();
    for (int at = head.size(); at < lines.size(); ) {
      List<String> rest = lines.subList(at + 1, lines.size());
      List<String> block = rest.stream().takeWhile(line -> !line.startsWith(PROMPT)).toList();
      commands.add(command(lines.get(at), block));
      at += 1 + block.size();
    }
    return new Session(head, columns, files, commands);
  }

  /** The sections of some lines, by name; what comes before the first is none. */
  private static Map<String, String> sections(List<String> lines) {
    Map<String, StringBuilder> sections = new LinkedHashMap<>();
    StringBuilder section = new StringBuilder();
    // Empty lines between the last file and the next command belong to neither.
    for (String line : String.join("\n", lines).stripTrailing().split("\n", -1)) {
      Matcher title = SECTION.matcher(line);
      if (title.matches()) {
        section = new StringBuilder();
        sections.put(title.group(1), section);
      } else {
        section.append(line).append('\n');
      }
    }
    Map<String, String> files = new LinkedHashMap<>();
    sections.forEach((name, content) -> files.put(name, content.toString()));
    return files;
  }

  private static Command command(String line, List<String> block) {
    List<String> words = words(line.substring(PROMPT.length()));
    if (words.isEmpty() || !List.of("portolan", "fg", "kill").contains(words.getFirst())) {
      throw new IllegalArgumentException("a command begins with '$ portolan': " + line);
    }
    String program = words.removeFirst();
    boolean background = !words.isEmpty() && words.getLast().equals("&");
    if (background) {
      words.removeLast();
    }
    String output = redirection(words, ">");
    String input = redirection(words, "<");
    List<String> said = block.stream().takeWhile(next -> !SECTION.matcher(next).matches()).toList();
    return new Command(
        line,
        program,
        List.copyOf(words),
        input,
        output,
        background,
        withoutTrailingEmpty(said),
        withoutTrailingEmpty(block.subList(said.size(), block.size())));
  }

  private static List<String> withoutTrailingEmpty(List<String> lines) {
    boolean empty = !lines.isEmpty() && lines.getLast().isEmpty();
    return empty ? lines.subList(0, lines.size() - 1) : lines;
  }

  /** Takes the sign and the file after it from the end of the words. */
  private static @Nullable String redirection(List<String> words, String sign) {
    int at = words.size() - 2;
    if (at < 0 || !words.get(at).equals(sign)) {
      return null;
    }
    words.remove(at);
    return words.remove(at);
  }

  /** The words as a shell finds them; quotes of both kinds keep everything as it is. */
  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    Matcher word = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+").matcher(line);
    while (word.find()) {
      words.add(
          Pattern.compile("'([^']*)'|\"([^\"]*)\"")
              .matcher(word.group())
              .replaceAll(quoted ->
                  Matcher.quoteReplacement(
                      Objects.requireNonNullElse(quoted.group(1), quoted.group(2)))));
    }
    return words;
  }
}
