package dev.portolan.audit;

import dev.portolan.audit.AuditDifference.Basis;
import dev.portolan.audit.AuditDifference.Kind;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what a sync would change as differences. */
final class RuleLines {
  /** A service as comments have it. */
  private static final Pattern SERVICE =
      Pattern.compile(
          "(?:\"|\\{ |--comment )([a-z][-a-z0-9]*/[a-z0-9][-a-z0-9.]*(?::[a-z0-9][-a-z0-9]*)?)");

  private RuleLines() {}

  /** One difference per line. */
  static List<AuditDifference> differences(List<String> lines) {
    return lines.stream().map(RuleLines::difference).toList();
  }

  private static AuditDifference difference(String line) {
    String object = line.length() > 2 ? line.substring(2) : line;
    return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
      case '+' -> of(Kind.MISSING, object, "a sync would add it");
      case '-' -> of(Kind.STALE, object, "a sync would remove it");
      default -> of(Kind.DIFFERENT, object, "a sync would rewrite it");
    };
  }

  private static AuditDifference of(Kind kind, String object, String text) {
    Matcher service = SERVICE.matcher(object);
    return new AuditDifference(
        kind, Basis.RULES, object, service.find() ? service.group(1) : "", text);
  }
}
