package dev.portolan.status.pages;

import dev.portolan.core.text.Json;
import dev.portolan.telemetry.http.Request;
import dev.portolan.telemetry.http.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * The pages {@code /statusz} and {@code /flagz}, which all Kubernetes programs have: as text for
 * people, and as JSON for programs that name the kind which they want.
 */
final class StatusPages {
  private static final String NAME = "kube-proxy";
  private static final String GROUP = "config.k8s.io";

  private StatusPages() {}

  /** What a client wants; the version is empty for text. */
  private record Wish(String version, boolean served) {}

  /** What the program is, and for how long it runs. */
  static Response statusz(
      Request request, ManagementServer.Status status, Collection<String> paths, Instant now) {
    long up = Math.max(0, Duration.between(status.started(), now).toSeconds());
    Collection<String> folders = new TreeSet<>();
    paths.forEach(path -> folders.add(path.substring(0, firstEnd(path))));
    String text =
        """
        Started: %s
        Up: %d hr %02d min %02d sec
        Go version: %s
        Binary version: %s
        Emulation version: %s
        Paths: %s
        """
            .formatted(
                status.started(),
                up / 3600,
                up / 60 % 60,
                up % 60,
                status.runtime(),
                status.version(),
                status.emulatedVersion(),
                String.join(" ", folders));
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("startTime", status.started().truncatedTo(ChronoUnit.SECONDS).toString());
    fields.put("uptimeSeconds", up);
    fields.put("goVersion", status.runtime());
    fields.put("binaryVersion", status.version());
    fields.put("emulationVersion", status.emulatedVersion());
    fields.put("paths", List.copyOf(folders));
    return answer(request, "Statusz", text, fields);
  }

  /** The flags with their values. */
  static Response flagz(Request request, SortedMap<String, String> flags) {
    StringBuilder text = new StringBuilder();
    flags.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    return answer(request, "Flagz", text.toString(), Map.of("flags", flags));
  }

  private static int firstEnd(String path) {
    int end = path.indexOf('/', 1);
    return end < 0 ? path.length() : end;
  }

  private static Response answer(
      Request request, String kind, String text, Map<String, Object> fields) {
    Wish wish = wish(request.header("accept"), kind);
    if (!wish.served) {
      return Response.text(
          406,
          "ask for text/plain, or for application/json;v=v1beta1;g="
              + GROUP
              + ";as="
              + kind
              + "\n");
    }
    if (wish.version.isEmpty()) {
      return Response.text(
          200,
          "\n"
              + NAME
              + " "
              + kind.toLowerCase(Locale.ROOT)
              + "\nFor people: the format may change. Programs ask for JSON.\n\n"
              + text);
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("kind", kind);
    object.put("apiVersion", GROUP + "/" + wish.version);
    object.put("metadata", Map.of("name", NAME));
    object.putAll(fields);
    return Response.json(200, Json.line(object));
  }

  /** The first format that the client accepts and that exists. */
  private static Wish wish(String accept, String kind) {
    if (accept.isBlank()) {
      return new Wish("", true);
    }
    for (String clause : accept.split(",", -1)) {
      TreeSet<String> parts = new TreeSet<>();
      for (String part : clause.split(";", -1)) {
        parts.add(part.strip());
      }
      if (parts.contains("text/plain") || parts.contains("text/*") || parts.contains("*/*")) {
        return new Wish("", true);
      }
      boolean structured =
          parts.contains("application/json")
              && parts.contains("g=" + GROUP)
              && parts.contains("as=" + kind);
      for (String version : new String[] {"v1beta1", "v1alpha1"}) {
        if (structured && parts.contains("v=" + version)) {
          return new Wish(version, true);
        }
      }
    }
    return new Wish("", false);
  }
}
