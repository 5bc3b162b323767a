package dev.portolan.testkit;

import dev.portolan.testkit.Scenario.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The text of a scenario in which some sections are rewritten. */
final class ScenarioText {
  private final List<String> lines;
  private final Map<Integer, Edit> edits = new TreeMap<>();

  /** Puts {@code lines} in place of the first lines that stand there. */
  private record Edit(int removed, List<String> lines) {}

  ScenarioText(List<String> lines) {
    this.lines = lines;
  }

  /** Gives a section another body; empty lines at its end stay. */
  void replace(Section section, List<String> body) {
    edits.put(section.line(), new Edit(contentLength(section), body));
  }

  /** Adds a section. */
  void insertAfter(Section section, String title, List<String> body) {
    List<String> added = new ArrayList<>();
    added.add("-- " + title + " --");
    added.addAll(body);
    edits.put(section.line() + section.body().size(), new Edit(0, added));
  }

  private static int contentLength(Section section) {
    int length = section.body().size();
    while (length > 0 && section.body().get(length - 1).isBlank()) {
      length--;
    }
    return length;
  }

  @Override
  public String toString() {
    List<String> written = new ArrayList<>();
    for (int i = 0; i <= lines.size(); i++) {
      Edit edit = edits.get(i);
      if (edit != null) {
        written.addAll(edit.lines);
        i += edit.removed;
      }
      if (i < lines.size()) {
        written.add(lines.get(i));
      }
    }
    return String.join("\n", written) + "\n";
  }
}
