package dev.portolan.analyze;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Findings as SARIF 2.1.0, the form in which analysers hand results to code hosts and editors. */
public final class SarifLog {
  private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

  private SarifLog() {}

  /** The log of one run of this program. */
  public static Map<String, Object> tree(List<ClusterFinding> findings, String version) {
    List<KnownMistake> rules = Analysis.mistakes();
    Map<String, Object> driver = new LinkedHashMap<>();
    driver.put("name", "portolan analyze");
    driver.put("version", version);
    driver.put("rules", rules.stream().map(SarifLog::rule).toList());
    Map<String, Object> run = new LinkedHashMap<>();
    run.put("tool", Map.of("driver", driver));
    run.put("columnKind", "utf16CodeUnits");
    run.put("results", findings.stream().map(finding -> result(finding, rules)).toList());
    Map<String, Object> log = new LinkedHashMap<>();
    log.put("$schema", SCHEMA);
    log.put("version", "2.1.0");
    log.put("runs", List.of(run));
    return log;
  }

  private static Map<String, Object> rule(KnownMistake mistake) {
    Map<String, Object> rule = new LinkedHashMap<>();
    rule.put("id", mistake.code());
    rule.put("shortDescription", Map.of("text", mistake.title()));
    rule.put("fullDescription", Map.of("text", mistake.text()));
    rule.put("help", Map.of("text", mistake.remedy()));
    rule.put("defaultConfiguration", Map.of("level", level(mistake)));
    return rule;
  }

  private static String level(KnownMistake mistake) {
    return switch (mistake.severity()) {
      case ERROR -> "error";
      case WARNING -> "warning";
      case INFO -> "note";
    };
  }

  private static Map<String, Object> result(ClusterFinding finding, List<KnownMistake> rules) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("ruleId", finding.mistake().code());
    result.put("ruleIndex", rules.indexOf(finding.mistake()));
    result.put("level", level(finding.mistake()));
    result.put("message", Map.of("text", message(finding)));
    result.put("locations", List.of(location(finding)));
    result.put(
        "partialFingerprints",
        Map.of(
            "finding/v1",
            finding.mistake().code() + " " + finding.object() + " " + finding.field()));
    return result;
  }

  private static String message(ClusterFinding finding) {
    return finding.object()
        + ": "
        + (finding.field().isEmpty() ? "" : finding.field() + ": ")
        + finding.text()
        + ". Users see: "
        + finding.seen()
        + ". Remedy: "
        + finding.remedy()
        + ".";
  }

  private static Map<String, Object> location(ClusterFinding finding) {
    Map<String, Object> location = new LinkedHashMap<>();
    finding
        .place()
        .ifPresent(place ->
            location.put(
                "physicalLocation",
                Map.of(
                    "artifactLocation",
                    Map.of("uri", uri(place.file())),
                    "region",
                    Map.of("startLine", place.line()))));
    Map<String, Object> logical = new LinkedHashMap<>();
    logical.put("name", finding.name());
    logical.put(
        "fullyQualifiedName",
        finding.object() + (finding.field().isEmpty() ? "" : " " + finding.field()));
    logical.put("kind", "object");
    location.put("logicalLocations", List.of(logical));
    return location;
  }

  /** A relative path as a relative reference, which code hosts take from the repository's root. */
  private static String uri(String file) {
    try {
      Path path = Path.of(file).normalize();
      return path.isAbsolute()
          ? path.toUri().toString()
          : new URI(null, null, path.toString().replace('\\', '/'), null).toString();
    } catch (InvalidPathException | URISyntaxException e) {
      return file.replace(" ", "%20");
    }
  }
}
