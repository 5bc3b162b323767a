package dev.portolan.testbase;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A strict reader of the text format 0.0.4: whatever it does not know is an error. */
public final class ParsedText {
  private final Map<String, Parsed> families = new LinkedHashMap<>();
  private final Set<String> series = new HashSet<>();

  /** One line. */
  public record Sample(String name, Map<String, String> labels, double value) {}

  /** All lines of one name. */
  public record Parsed(String help, String type, List<Sample> samples) {
    /** The one value of a metric, whatever its labels. */
    public double only() {
      if (samples.size() != 1) {
        throw new IllegalStateException("not one sample: " + samples);
      }
      return samples.getFirst().value();
    }

    /** The value under these labels, written as {@code a=b,c=d}, of the line with this ending. */
    public double at(String ending, String labels) {
      for (Sample sample : samples) {
        List<String> pairs = new ArrayList<>();
        sample.labels().forEach((name, value) -> pairs.add(name + "=" + value));
        if (sample.name().endsWith(ending) && String.join(",", pairs).equals(labels)) {
          return sample.value();
        }
      }
      throw new IllegalStateException("no " + ending + "{" + labels + "} in " + samples);
    }
  }

  private ParsedText() {}

  public static Map<String, Parsed> parse(String text) {
    ParsedText parsed = new ParsedText();
    if (!text.isEmpty() && !text.endsWith("\n")) {
      throw new IllegalArgumentException("the last line has no end");
    }
    String[] lines = text.split("\n", -1);
    Parsed current = new Parsed("", "", new ArrayList<>());
    String name = "";
    for (int i = 0; i < lines.length - 1; i++) {
      if (lines[i].startsWith("# HELP ")) {
        String[] help = lines[i].split(" ", 4);
        String[] type = lines[++i].split(" ", -1);
        name = help[2];
        require(type.length == 4 && type[0].equals("#") && type[1].equals("TYPE"), lines[i]);
        require(type[2].equals(name), lines[i]);
        current = new Parsed(unescape(help[3]), type[3], new ArrayList<>());
        require(parsed.families.put(name, current) == null, "twice: " + name);
      } else {
        require(!name.isEmpty(), lines[i]);
        Sample sample = sample(lines[i]);
        require(belongs(sample.name(), name, current.type()), lines[i]);
        require(parsed.series.add(sample.name() + sample.labels()), "twice: " + lines[i]);
        current.samples().add(sample);
      }
    }
    parsed.families.forEach(ParsedText::checkHistogram);
    return parsed.families;
  }

  private static boolean belongs(String sample, String family, String type) {
    return type.equals("histogram")
        ? Set.of(family + "_bucket", family + "_sum", family + "_count").contains(sample)
        : sample.equals(family);
  }

  /** Buckets grow, and the last one has as many as there are. */
  private static void checkHistogram(String name, Parsed family) {
    double before = 0;
    double last = 0;
    for (Sample sample : family.samples()) {
      if (sample.name().equals(name + "_bucket") && family.type().equals("histogram")) {
        require(sample.value() >= before, "shrinks: " + sample);
        before = sample.value();
        if ("+Inf".equals(sample.labels().get("le"))) {
          last = before;
          before = 0;
        }
      } else if (sample.name().equals(name + "_count") && family.type().equals("histogram")) {
        require(sample.value() == last, "another count: " + sample);
      }
    }
  }

  private static Sample sample(String line) {
    int at = 0;
    while (at < line.length() && line.charAt(at) != '{' && line.charAt(at) != ' ') {
      at++;
    }
    String name = line.substring(0, at);
    Map<String, String> labels = new LinkedHashMap<>();
    if (line.charAt(at) == '{') {
      at++;
      while (line.charAt(at) != '}') {
        int equals = line.indexOf("=\"", at);
        String label = line.substring(at, equals);
        at = equals + 2;
        int start = at;
        while (line.charAt(at) != '"') {
          at += line.charAt(at) == '\\' ? 2 : 1;
        }
        require(
            labels.put(label, unescape(line.substring(start, at))) == null, "label twice: " + line);
        at++;
        if (line.charAt(at) == ',') {
          at++;
        } else {
          require(line.charAt(at) == '}', line);
        }
      }
      at++;
    }
    require(line.charAt(at) == ' ', line);
    return new Sample(name, labels, number(line.substring(at + 1)));
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  private static String unescape(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        char escaped = text.charAt(++i);
        require("\\n\"".indexOf(escaped) >= 0, "escape: " + text);
        plain.append(escaped == 'n' ? '\n' : escaped);
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }

  private static void require(boolean good, String what) {
    if (!good) {
      throw new IllegalArgumentException(what);
    }
  }
}
