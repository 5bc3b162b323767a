package dev.portolan.config;

import dev.portolan.config.fields.ConfigVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A case of a data file: the text of a configuration, and the messages that it must get. */
public record Case(String name, String text, List<String> messages) {
  private static final String HEAD =
      "apiVersion: kubeproxy.config.k8s.io/v1alpha%s\nkind: KubeProxyConfiguration\n";

  public static List<Case> load(String resource) {
    List<Case> cases = new ArrayList<>();
    for (String part : ("\n" + read(resource)).split("\n=== ", -1)) {
      if (cases.isEmpty() && part.stripLeading().startsWith("#")) {
        cases.add(new Case("", "", List.of()));
        continue;
      }
      String name = part.lines().findFirst().orElseThrow();
      String[] halves = part.substring(name.length() + 1).split("---8<---\n?", -1);
      String text =
          halves[0].replace("A1:\n", HEAD.formatted(1)).replace("A2:\n", HEAD.formatted(2));
      cases.add(new Case(name, text, halves[1].lines().toList()));
    }
    return cases.subList(1, cases.size());
  }

  public static String read(String resource) {
    try (InputStream in = Case.class.getResourceAsStream("/" + resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<List<String>> rows(String resource) {
    return read(resource)
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> List.of(line.split("\\|", -1)).stream().map(String::strip).toList())
        .toList();
  }

  /** A file with one field. */
  public static String file(ConfigVersion version, String path, String value) {
    StringBuilder text =
        new StringBuilder(HEAD.formatted(version == ConfigVersion.V1ALPHA1 ? 1 : 2));
    String indent = "";
    for (String step : path.split("\\.", -1)) {
      text.append(text.toString().endsWith("\n") ? "" : "\n")
          .append(indent)
          .append(step)
          .append(":");
      indent += "  ";
    }
    return text.append(' ').append(value).append('\n').toString();
  }

  @Override
  public String toString() {
    return name;
  }

  /** The messages on one line each, for a comparison that shows all of them. */
  public static String lines(List<?> messages) {
    return messages.stream().map(Object::toString).collect(Collectors.joining("\n"));
  }
}
