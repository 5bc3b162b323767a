package dev.portolan.doctor.bundle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes secrets out of a text: those that the credentials of this node hold, wherever they appear,
 * and whatever looks like one.
 */
final class Redaction {
  static final String MARK = "[redacted]";

  private static final int SHORTEST = 6;
  private static final long LARGEST = 1 << 20;

  /** Names of fields, variables and flags whose values are secrets. */
  private static final String NAMES =
      "[\\w.-]*(?:token|passw(?:or)?d|secret|credential|api[_-]?key|access[_-]?key|private[_-]?key"
          + "|client-key-data|client-certificate-data)[\\w.-]*";

  /**
   * In a file of credentials every value counts that belongs to such a name, or is a variable's.
   */
  private static final Pattern STORED =
      Pattern.compile(
          "(?i)[\"']?\\b("
              + NAMES
              + "|value|username)[\"']?\\s*:\\s*(\"[^\"]*\"|'[^']*'|[^\\s,}\\]]+)");

  private static final List<Pattern> WHOLE =
      List.of(
          Pattern.compile(
              "-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(-----END [A-Z0-9 ]*PRIVATE KEY-----|$)",
              Pattern.DOTALL),
          Pattern.compile("\\beyJ[\\w-]{8,}\\.[\\w-]+\\.?[\\w-]*"),
          Pattern.compile("(?i)\\b(?:bearer|basic)\\s+[\\w.~+/=-]{6,}"));

  private static final List<Pattern> VALUES =
      List.of(
          Pattern.compile("(?i)(--" + NAMES + "[= ])([^\\s\"'&,]+)"),
          Pattern.compile(
              "(?i)([\"']?\\b" + NAMES + "[\"']?\\s*[:=]\\s*)(\"[^\"]*\"|'[^']*'|[^\\s,;&}\\]]+)"),
          Pattern.compile("(?i)(\\bauthorization[\"']?\\s*[:=]\\s*)([^\\r\\n\"',}]+)"),
          Pattern.compile("(://)([^\\s/@:]+:[^\\s/@]+)(?=@)"));

  private final List<String> known;

  private Redaction(Collection<String> known) {
    this.known = known.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList();
  }

  /** Knows what is in {@code files}: kubeconfigs, and files with a token. */
  static Redaction of(List<Path> files) {
    Set<String> known = new LinkedHashSet<>();
    files.forEach(file -> learn(file, known));
    known.removeIf(secret -> secret.length() < SHORTEST || secret.startsWith("/"));
    return new Redaction(known);
  }

  private static void learn(Path file, Set<String> known) {
    String text;
    try {
      if (Files.size(file) > LARGEST) {
        return;
      }
      text = Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return;
    }
    if (!text.contains(":") || text.lines().count() == 1) {
      known.add(text.strip());
    }
    Matcher matcher = STORED.matcher(text);
    while (matcher.find()) {
      String value = matcher.group(2).replaceAll("^[\"']|[\"']$", "");
      known.add(value);
      decoded(value).forEach(known::add);
      if (matcher.group(1).equalsIgnoreCase("tokenFile")) {
        learn(file.resolveSibling(value), known);
      }
    }
  }

  /** What a value in base64 stands for, line by line. */
  private static List<String> decoded(String value) {
    try {
      byte[] bytes = Base64.getMimeDecoder().decode(value);
      return new ArrayList<>(
          new String(bytes, StandardCharsets.ISO_8859_1)
              .lines()
              .map(String::strip)
              .filter(line -> line.matches("[ -~]{16,}") && !line.startsWith("-----"))
              .toList());
    } catch (IllegalArgumentException e) {
      return List.of();
    }
  }

  /** The text without them. */
  String clean(String text) {
    String clean = text;
    for (String secret : known) {
      clean = clean.replace(secret, MARK);
    }
    for (Pattern pattern : WHOLE) {
      clean = pattern.matcher(clean).replaceAll(Matcher.quoteReplacement(MARK));
    }
    for (Pattern pattern : VALUES) {
      clean = pattern.matcher(clean).replaceAll("$1" + Matcher.quoteReplacement(MARK));
    }
    return clean;
  }
}
