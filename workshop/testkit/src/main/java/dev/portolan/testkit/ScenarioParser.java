package dev.portolan.testkit;

import dev.portolan.conformance.clusters.FactLines;
import dev.portolan.conformance.clusters.StateLines;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.explain.Client;
import dev.portolan.explain.Target;
import dev.portolan.packets.ScenarioOptions;
import dev.portolan.source.file.Manifests;
import dev.portolan.testkit.Scenario.Section;
import dev.portolan.testkit.Scenario.Step;
import dev.portolan.testkit.Scenario.Subject;
import dev.portolan.text.TextException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the text of a scenario. Strict: what it does not know is a mistake with a line. */
final class ScenarioParser {
  private static final Pattern HEADER = Pattern.compile("-- (\\S|\\S.*\\S) --");
  private static final Pattern EXPLAIN = Pattern.compile("explain (\\S+)(?: from (\\S+))?");
  private static final Pattern DELETED =
      Pattern.compile("(?:Service|EndpointSlice) \\S+/\\S+|(?:Node|ServiceCIDR) [^\\s/]+");
  private static final Pattern REVISION = Pattern.compile("unchanged|\\+[1-9][0-9]*");
  private static final Pattern DELTA =
      Pattern.compile("facts|(?:set|removed) \\S+/\\S+|trigger \\S+/\\S+ \\S+");
  private static final Pattern EXPLANATION =
      Pattern.compile(
          "forward( \\S+)+|reject|drop|none|(not )?masqueraded|masqueraded to( \\S+)+"
              + "|(at|because|left out|error) .+");

  private final String file;
  private final List<String> lines;

  ScenarioParser(String file, String text) {
    this.file = file;
    this.lines = text.lines().toList();
  }

  Scenario parse() {
    int first = 0;
    while (first < lines.size() && !isHeader(first)) {
      first++;
    }
    String description = String.join("\n", lines.subList(0, first)).strip();
    if (description.isEmpty()) {
      throw mistake(1, "start with a sentence that says what the scenario shows");
    }
    ScenarioOptions options = new ScenarioOptions();
    List<Step> steps = new ArrayList<>();
    for (int i = first; i < lines.size(); ) {
      Section section = section(i);
      if (section.title().equals("options")) {
        if (i != first) {
          throw mistake(section.line(), "the options come first, and once");
        }
        readOptions(section, options);
      } else {
        steps.add(step(section, steps));
      }
      i += 1 + section.body().size();
    }
    if (steps.isEmpty()) {
      throw mistake(lines.size(), "nothing happens: no section '-- objects --'");
    }
    return new Scenario(
        file, description, options.cluster(), options.node(), options.settings(), steps, lines);
  }

  private boolean isHeader(int index) {
    String line = lines.get(index);
    if (HEADER.matcher(line).matches()) {
      return true;
    }
    if (line.startsWith("-- ")) {
      throw mistake(index + 1, "a section starts as '-- title --', not as '" + line + "'");
    }
    return false;
  }

  private Section section(int index) {
    int end = index + 1;
    while (end < lines.size() && !isHeader(end)) {
      end++;
    }
    Matcher header = HEADER.matcher(lines.get(index));
    String title = header.matches() ? header.group(1) : "";
    return new Section(index + 1, title, lines.subList(index + 1, end));
  }

  private void readOptions(Section section, ScenarioOptions options) {
    forEachLine(
        section,
        (line, text) -> {
          int colon = text.indexOf(':');
          if (colon < 0) {
            throw mistake(line, "an option is written 'name: value', not '" + text + "'");
          }
          try {
            options.set(text.substring(0, colon).strip(), text.substring(colon + 1).strip());
          } catch (IllegalArgumentException e) {
            throw mistake(line, String.valueOf(e.getMessage()));
          }
        });
  }

  private Step step(Section section, List<Step> before) {
    if (section.title().equals("objects")) {
      return setObjects(section);
    }
    if (before.isEmpty()) {
      throw mistake(
          section.line(), "'" + section.title() + "' before the first section '-- objects --'");
    }
    if (section.title().equals("delete")) {
      List<ObjectRef> objects = new ArrayList<>();
      for (String line : checked(section, matches(DELETED), "'Kind namespace/name'")) {
        int space = line.indexOf(' ');
        objects.add(new ObjectRef(line.substring(0, space), line.substring(space + 1)));
      }
      return new Step.Delete(section, objects);
    }
    for (Subject subject : Subject.values()) {
      if (section.title().equals(subject.title())) {
        return expect(section, subject);
      }
    }
    Matcher explain = EXPLAIN.matcher(section.title());
    if (explain.matches()) {
      return explain(section, explain.group(1), Optional.ofNullable(explain.group(2)));
    }
    throw mistake(section.line(), "unknown section '" + section.title() + "'");
  }

  /** Reads manifests, on the lines that they have in this file. */
  private Step setObjects(Section section) {
    String text = "\n".repeat(section.line()) + String.join("\n", section.body()) + "\n";
    try {
      Manifests manifests = Manifests.parse(file, text);
      return new Step.SetObjects(
          section,
          manifests.image(),
          manifests.warnings().stream().map(this::withoutPlace).toList());
    } catch (TextException e) {
      throw mistake(section.line(), "the objects cannot be read: " + e.getMessage());
    }
  }

  /** A warning without the line that it is about, which moves with every edit. */
  private String withoutPlace(String warning) {
    return warning.replaceFirst("^" + Pattern.quote(file) + ":[0-9]+(:[0-9]+)?: ", "");
  }

  private Step expect(Section section, Subject subject) {
    List<String> expected =
        switch (subject) {
          case STATE ->
              checked(section, this::isState, "'namespace/name:port PROTOCOL address key=value …'");
          case REVISION -> checked(section, matches(REVISION), "'unchanged' or '+1'");
          case DELTA ->
              checked(
                  section,
                  matches(DELTA),
                  "'facts', 'set namespace/name', 'removed namespace/name' or"
                      + " 'trigger namespace/name time'");
          case WARNINGS -> checked(section, line -> true, "a warning");
          case FACTS ->
              checked(
                  section,
                  line -> hasKey(line, FactLines.KEYS),
                  "'key=value' with a key of " + FactLines.KEYS);
        };
    if (subject == Subject.REVISION && expected.size() != 1) {
      throw mistake(section.line(), "'expect revision' has one line, 'unchanged' or '+1'");
    }
    return new Step.Expect(section, subject, expected);
  }

  private Step explain(Section section, String target, Optional<String> client) {
    List<String> expected =
        checked(
            section,
            matches(EXPLANATION),
            "'forward endpoints', 'reject', 'drop', 'none', 'masqueraded', 'not masqueraded',"
                + " 'masqueraded to endpoints', 'left out …', 'because …', 'at …' or 'error …'");
    try {
      return new Step.Explain(section, Target.parse(target), client.map(Client::parse), expected);
    } catch (IllegalArgumentException e) {
      throw mistake(section.line(), String.valueOf(e.getMessage()));
    }
  }

  private boolean isState(String line) {
    String[] words = line.split(" ", -1);
    if (words.length < 4 || !words[0].contains("/")) {
      return false;
    }
    for (int i = 3; i < words.length; i++) {
      if (!hasKey(words[i], StateLines.KEYS)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasKey(String text, Set<String> keys) {
    int equals = text.indexOf('=');
    return equals > 0 && keys.contains(text.substring(0, equals));
  }

  private static Predicate<String> matches(Pattern pattern) {
    return line -> pattern.matcher(line).matches();
  }

  private List<String> checked(Section section, Predicate<String> good, String form) {
    List<String> found = new ArrayList<>();
    forEachLine(
        section,
        (line, text) -> {
          if (!good.test(text)) {
            throw mistake(
                line,
                "in '" + section.title() + "' a line is " + form + "; this one is '" + text + "'");
          }
          found.add(text);
        });
    return found;
  }

  private interface LineReader {
    void read(int line, String text);
  }

  /** Visits each line that has more than a comment, with single spaces. */
  private static void forEachLine(Section section, LineReader reader) {
    for (int i = 0; i < section.body().size(); i++) {
      String text = " " + section.body().get(i);
      int comment = text.indexOf(" #");
      String line = (comment < 0 ? text : text.substring(0, comment)).strip();
      if (!line.isEmpty()) {
        reader.read(section.line() + 1 + i, line.replaceAll("\\s+", " "));
      }
    }
  }

  private ScenarioException mistake(int line, String message) {
    return new ScenarioException(file, line, message);
  }
}
