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
 * What a user sees, as a text: a sentence, files that are there, and commands. What the commands
 * printed when the text was written is not kept.
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
   * @param words its words after {@code portolan}
   * @param input the file that it reads in place of the keyboard
   * @param output the file that it writes in place of the screen
   */
  record Command(
      String line, List<String> words, @Nullable String input, @Nullable String output) {}

  static Session parse(String text) {
    List<String> head = text.lines().takeWhile(line -> !line.startsWith(PROMPT)).toList();
    if (head.isEmpty() || head.getFirst().isBlank() || SECTION.matcher(head.getFirst()).matches()) {
      throw new IllegalArgumentException(
          "a session begins with a sentence that says what it shows");
    }
    Map<String, StringBuilder> sections = new LinkedHashMap<>();
    StringBuilder section = new StringBuilder();
    // Empty lines between the last file and the first command belong to neither.
    for (String line : String.join("\n", head).stripTrailing().split("\n", -1)) {
      Matcher title = SECTION.matcher(line);
      if (title.matches()) {
        section = new StringBuilder();
        sections.put(title.group(1), section);
      } else {
        section.append(line).append('\n');
      }
    }
    OptionalInt columns = OptionalInt.empty();
    StringBuilder options = sections.remove(OPTIONS);
    if (options != null) {
      Matcher option = COLUMNS.matcher(options.toString().strip());
      if (!option.matches()) {
        throw new IllegalArgumentException("the only option is 'columns: NUMBER'");
      }
      columns = OptionalInt.of(Integer.parseInt(option.group(1)));
    }
    Map<String, String> files = new LinkedHashMap<>();
    sections.forEach((name, content) -> files.put(name, content.toString()));
    List<Command> commands =
        text.lines().filter(line -> line.startsWith(PROMPT)).map(Session::command).toList();
    return new Session(head, columns, files, commands);
  }

  private static Command command(String line) {
    List<String> words = words(line.substring(PROMPT.length()));
    if (words.isEmpty() || !words.removeFirst().equals("portolan")) {
      throw new IllegalArgumentException("a command begins with '$ portolan': " + line);
    }
    String output = redirection(words, ">");
    String input = redirection(words, "<");
    return new Command(line, List.copyOf(words), input, output);
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
