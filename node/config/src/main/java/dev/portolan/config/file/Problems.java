package dev.portolan.config.file;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.text.FilePosition;
import dev.portolan.text.Value.Scalar;
import dev.portolan.text.syntax.DoubleQuotes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is found while one file is read, and where its fields are. */
final class Problems {
  private final String file;
  private final ConfigVersion version;
  private final String mode;
  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, FilePosition> places = new HashMap<>();

  Problems(String file, ConfigVersion version, String mode) {
    this.file = file;
    this.version = version;
    this.mode = mode;
  }

  /** The mode that the file names, which decides which of several fields counts. */
  String mode() {
    return mode;
  }

  /** A field stands here. */
  void at(String path, FilePosition place) {
    places.put(path, place);
  }

  /** Something that makes the file unusable. */
  void error(FilePosition place, String path, String text) {
    findings.add(new Finding(FindingSeverity.ERROR, file, place, path, text));
  }

  /** A field that the version does not have: v1alpha1 reads on without it. */
  void unknown(Scalar key, String path, String remedy) {
    sloppy(
        key.place(),
        path,
        "unknown field " + DoubleQuotes.quote(key.text()),
        version == ConfigVersion.V1ALPHA1 ? ", which is ignored; " + remedy : "; " + remedy);
  }

  /** Reports a key that was seen before: in v1alpha1 the last one counts. */
  void duplicate(Map<String, FilePosition> seen, Scalar key, String path) {
    FilePosition first = seen.putIfAbsent(key.text(), key.place());
    if (first != null) {
      sloppy(
          key.place(),
          path,
          "already set in line " + first.line(),
          (version == ConfigVersion.V1ALPHA1 ? ", and this one is used" : "")
              + "; remove one of them");
    }
  }

  private void sloppy(FilePosition place, String path, String what, String rest) {
    FindingSeverity severity =
        version == ConfigVersion.V1ALPHA1 ? FindingSeverity.WARNING : FindingSeverity.ERROR;
    findings.add(new Finding(severity, file, place, path, what + rest));
  }

  /** What was found. */
  List<Finding> findings() {
    return List.copyOf(findings);
  }

  /** Where the fields are. */
  Map<String, FilePosition> places() {
    return Map.copyOf(places);
  }
}
