package dev.portolan.config.file;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.Conversion;
import dev.portolan.config.fields.FieldRow;
import dev.portolan.config.fields.FieldTable;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.Platform;
import dev.portolan.config.validation.Validator;
import dev.portolan.text.FilePosition;
import dev.portolan.text.Spelling;
import dev.portolan.text.Value;
import dev.portolan.text.Value.Entry;
import dev.portolan.text.Value.Mapping;
import dev.portolan.text.Value.Scalar;
import dev.portolan.text.WrittenDocument;
import dev.portolan.text.syntax.DoubleQuotes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A configuration file that was read.
 *
 * @param name the name of the file, for messages
 * @param written the values that stand in it, in its own version
 * @param places where each field stands
 * @param findings what was ignored, such as unknown and duplicate fields of v1alpha1; after {@link
 *     #scan} also what could not be read
 */
public record ConfigFile(
    String name, Settings written, Map<String, FilePosition> places, List<Finding> findings) {
  /** Where these cannot be read, nothing can be said about the others. */
  private static final Set<String> DECISIVE =
      Set.of("mode", "detectLocalMode", "configHardFail", "featureGates");

  public ConfigFile {
    places = Map.copyOf(places);
    findings = List.copyOf(findings);
  }

  /** Reads a file; all errors in one {@link ConfigException}. */
  public static ConfigFile read(String name, String text) {
    ConfigFile file = scan(name, text);
    if (!file.errors().isEmpty()) {
      throw new ConfigException(file.errors());
    }
    return file;
  }

  /**
   * Reads as much of a file as can be read; fields with errors are left out.
   *
   * @throws ConfigException if the file is not a configuration at all
   */
  public static ConfigFile scan(String name, String text) {
    Value document =
        WrittenDocument.read(
                "a configuration",
                text.startsWith("\ufeff") ? text.substring(1) : text,
                (place, mistake) -> ConfigException.in(name, place, "", mistake))
            .orElseThrow(() ->
                ConfigException.in(
                    name,
                    new FilePosition(1, 1),
                    "",
                    "the file is empty; start it with 'apiVersion: %s' and 'kind: %s'"
                        .formatted(ConfigVersion.latest().apiVersion(), ConfigVersion.KIND)));
    if (!(document instanceof Mapping root)) {
      throw ConfigException.in(
          name,
          document.place(),
          "",
          "expected a mapping, found "
              + Written.describe(document)
              + "; write 'apiVersion: …', 'kind: …' and the fields");
    }
    ConfigVersion version = version(name, root);
    Problems problems = new Problems(name, version, mode(root));
    Map<String, Object> values = new TreeMap<>();
    section(version, problems, "", root, values);
    return new ConfigFile(
        name, Settings.of(version, values), problems.places(), problems.findings());
  }

  /** The fields that could not be read. */
  public List<Finding> errors() {
    return Finding.errors(findings);
  }

  /** What was ignored. */
  public List<Finding> warnings() {
    return findings.stream().filter(one -> one.severity() != FindingSeverity.ERROR).toList();
  }

  /** All findings about the file, with their places; errors of reading come first. */
  public List<Finding> check(Platform platform, FeatureGates gates) {
    List<String> unread = errors().stream().map(Finding::path).toList();
    List<Finding> all = new ArrayList<>(errors());
    all.addAll(warnings());
    if (unread.stream().noneMatch(path -> DECISIVE.contains(path.split("\\.", 2)[0]))) {
      Validator.check(written, platform, gates).stream()
          .filter(found -> unread.stream().noneMatch(path -> isAbout(found.path(), path)))
          .map(this::locate)
          .forEach(all::add);
    }
    all.sort(Comparator.comparing(one -> one.severity() != FindingSeverity.ERROR));
    return all;
  }

  /** Whether one field is part of the other, or the same. */
  private static boolean isAbout(String one, String other) {
    return one.startsWith(other) || other.startsWith(one);
  }

  /** The version of the file. */
  public ConfigVersion version() {
    return written.version();
  }

  /** The file in the shape of {@code version}, and what was lost on the way. */
  public Conversion.Result convert(ConfigVersion version) {
    return Conversion.convert(written, version);
  }

  /** What the rest of the program reads. */
  public ProxyConfiguration configuration() {
    return ProxyConfiguration.of(convert(ConfigVersion.latest()).settings());
  }

  /** The finding with the place of its field in this file. */
  public Finding locate(Finding finding) {
    FilePosition place = places.get(finding.path());
    String path = finding.path();
    while (place == null && !path.isEmpty()) {
      int end = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
      path = path.substring(0, Math.max(0, end));
      place = places.get(path);
    }
    return finding.in(name, place);
  }

  private static void section(
      ConfigVersion version,
      Problems problems,
      String prefix,
      Mapping section,
      Map<String, Object> out) {
    Map<String, FilePosition> seen = new HashMap<>();
    for (Entry entry : section.entries()) {
      String key = entry.key().text();
      String path = prefix + key;
      problems.duplicate(seen, entry.key(), path);
      if (prefix.isEmpty() && (key.equals("apiVersion") || key.equals("kind"))) {
        continue;
      }
      FieldRow row = FieldTable.find(version, path).orElse(null);
      if (row != null) {
        problems.at(path, entry.key().place());
        Object value =
            Written.isNull(entry.value())
                ? null
                : new ValueReader(problems).read(row.type(version), path, entry.value());
        if (value == null) {
          out.remove(path);
        } else {
          out.put(path, value);
        }
      } else if (!FieldTable.isSection(version, path) || key.contains(".")) {
        problems.unknown(entry.key(), path, remedy(version, problems.mode(), prefix, key));
      } else if (entry.value() instanceof Mapping mapping) {
        problems.at(path, entry.key().place());
        out.keySet().removeIf(field -> field.startsWith(path + "."));
        section(version, problems, path + ".", mapping, out);
      } else if (Written.isNull(entry.value())) {
        out.keySet().removeIf(field -> field.startsWith(path + "."));
      } else {
        problems.error(
            entry.value().place(),
            path,
            "expected a mapping, found "
                + Written.describe(entry.value())
                + "; write 'key: value' below it");
      }
    }
  }

  private static String remedy(ConfigVersion version, String mode, String prefix, String key) {
    String path = prefix + key;
    FieldRow other = FieldTable.find(version.other(), path).orElse(null);
    if (other != null) {
      String here = other.path(version);
      if (here == null) {
        return version + " does not have it, only " + version.other() + " has; remove it";
      }
      String active =
          version == ConfigVersion.V1ALPHA1 ? FieldTable.pathIn(version, path, mode) : here;
      return "it is " + active + " in " + version + ", so write that";
    }
    if (FieldTable.isSection(version.other(), path)) {
      return "it is a section of " + version.other() + "; remove it or change apiVersion";
    }
    String section = prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1);
    Optional<String> near = Spelling.nearest(key, FieldTable.names(version, section));
    return near.map(name -> "did you mean " + name + "?").orElse("remove it");
  }

  private static String mode(Mapping root) {
    return root.get("mode") instanceof Scalar scalar ? scalar.text() : "";
  }

  private static ConfigVersion version(String name, Mapping root) {
    Scalar apiVersion = header(name, root, "apiVersion", ConfigVersion.latest().apiVersion());
    Scalar kind = header(name, root, "kind", ConfigVersion.KIND);
    if (!kind.text().equals(ConfigVersion.KIND)) {
      throw ConfigException.in(
          name,
          kind.place(),
          "kind",
          "expected "
              + ConfigVersion.KIND
              + ", found "
              + DoubleQuotes.quote(kind.text())
              + "; this is not a kube-proxy configuration");
    }
    return ConfigVersion.ofApi(apiVersion.text())
        .orElseThrow(() ->
            ConfigException.in(
                name,
                apiVersion.place(),
                "apiVersion",
                "%s is not known; write %s or %s"
                    .formatted(
                        DoubleQuotes.quote(apiVersion.text()),
                        ConfigVersion.V1ALPHA1.apiVersion(),
                        ConfigVersion.V1ALPHA2.apiVersion())));
  }

  private static Scalar header(String name, Mapping root, String key, String example) {
    Value found = root.get(key);
    if (found == null || Written.isNull(found)) {
      FilePosition place = found == null ? root.place() : found.place();
      throw ConfigException.in(name, place, key, "missing; write '" + key + ": " + example + "'");
    }
    if (found instanceof Scalar scalar) {
      return scalar;
    }
    throw ConfigException.in(
        name,
        found.place(),
        key,
        "expected text, found "
            + Written.describe(found)
            + "; write '"
            + key
            + ": "
            + example
            + "'");
  }
}
