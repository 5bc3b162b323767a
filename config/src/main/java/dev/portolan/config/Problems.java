package dev.portolan.config;

import dev.portolan.config.Yaml.Scalar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is found while one file is read, and where its fields are. */
final class Problems {
  private final String file;
  private final Version version;
  private final String mode;
  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, Place> places = new HashMap<>();

  Problems(String file, Version version, String mode) {
    this.file = file;
    this.version = version;
    this.mode = mode;
  }

  /** The mode that the file names, which decides which of several fields counts. */
  String mode() {
    return mode;
  }

  /** A field stands here. */
  void at(String path, Place place) {
    places.put(path, place);
  }

  /** Something that makes the file unusable. */
  void error(Place place, String path, String text) {
    findings.add(new Finding(Severity.ERROR, file, place, path, text));
  }

  /** A field that the version does not have: v1alpha1 reads on without it. */
  void unknown(Scalar key, String path, String remedy) {
    sloppy(
        key.place(),
        path,
        "unknown field " + Quotes.quote(key.text()),
        version == Version.V1ALPHA1 ? ", which is ignored; " + remedy : "; " + remedy);
  }

  /** Reports a key that was seen before: in v1alpha1 the last one counts. */
  void duplicate(Map<String, Place> seen, Scalar key, String path) {
    Place first = seen.putIfAbsent(key.text(), key.place());
    if (first != null) {
      sloppy(
          key.place(),
          path,
          "already set in line " + first.line(),
          (version == Version.V1ALPHA1 ? ", and this one is used" : "") + "; remove one of them");
    }
  }

  private void sloppy(Place place, String path, String what, String rest) {
    Severity severity = version == Version.V1ALPHA1 ? Severity.WARNING : Severity.ERROR;
    findings.add(new Finding(severity, file, place, path, what + rest));
  }

  /** The warnings; throws where there is an error. */
  List<Finding> warnings() {
    List<Finding> errors =
        findings.stream().filter(finding -> finding.severity() == Severity.ERROR).toList();
    if (!errors.isEmpty()) {
      throw new ConfigException(errors);
    }
    return List.copyOf(findings);
  }

  /** Where the fields are. */
  Map<String, Place> places() {
    return Map.copyOf(places);
  }
}
