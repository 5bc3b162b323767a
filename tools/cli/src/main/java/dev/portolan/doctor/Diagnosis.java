package dev.portolan.doctor;

import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.VersionedTree;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The results of all checks, for people and for programs. */
public record Diagnosis(List<CheckResult> results) {
  private static final int STATUS = 9;

  public Diagnosis {
    results = List.copyOf(results);
  }

  /** Looks at a node. */
  public static Diagnosis of(Subject subject) {
    return new Diagnosis(Doctor.examine(subject));
  }

  /** Whether no check failed; a warning is not a failure. */
  public boolean isGood() {
    return count(CheckStatus.FAIL) == 0;
  }

  private long count(CheckStatus status) {
    return results.stream().filter(result -> result.status() == status).count();
  }

  /** The results, each with its remedy below it, and a line that adds them up. */
  public List<String> lines(Terminal terminal) {
    int name = results.stream().mapToInt(result -> result.id().length()).max().orElse(0);
    int indentation = STATUS + name + 2;
    boolean narrow = terminal.width() - indentation < terminal.width() / 2;
    int left = narrow ? STATUS : indentation;
    List<String> lines = new ArrayList<>();
    for (CheckResult result : results) {
      String status = result.status().toString();
      String head =
          terminal.paint(paint(result.status()), status)
              + " ".repeat(STATUS - status.length())
              + result.id();
      List<String> text = wrapped(result.finding(), terminal.width() - left);
      if (!result.remedy().isEmpty()) {
        text.addAll(wrapped("remedy: " + result.remedy(), terminal.width() - left));
      }
      if (narrow) {
        lines.add(head);
      } else {
        lines.add(head + " ".repeat(name - result.id().length() + 2) + text.removeFirst());
      }
      text.forEach(line -> lines.add(" ".repeat(left) + line));
    }
    lines.add("");
    lines.add(summary());
    return lines;
  }

  private static List<String> wrapped(String text, int width) {
    return new ArrayList<>(Text.wrap(Text.printable(text), width));
  }

  private static Paint paint(CheckStatus status) {
    return switch (status) {
      case OK -> Paint.GREEN;
      case WARN, UNKNOWN -> Paint.YELLOW;
      case FAIL -> Paint.RED;
    };
  }

  private String summary() {
    return results.size()
        + " checks: "
        + count(CheckStatus.OK)
        + " ok, "
        + count(CheckStatus.WARN)
        + " to look at, "
        + count(CheckStatus.FAIL)
        + " failed, "
        + count(CheckStatus.UNKNOWN)
        + " unknown";
  }

  private record Form(boolean good, Map<CheckStatus, Long> summary, List<CheckResult> checks) {}

  /** The results for programs. */
  public Map<String, Object> tree() {
    Map<CheckStatus, Long> summary = new EnumMap<>(CheckStatus.class);
    for (CheckStatus status : CheckStatus.values()) {
      summary.put(status, count(status));
    }
    return VersionedTree.of("Diagnosis", new Form(isGood(), summary, results));
  }
}
