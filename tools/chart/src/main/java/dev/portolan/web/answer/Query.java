package dev.portolan.web.answer;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a request. */
public final class Query {
  private static final int MOST = 2000;

  private final Map<String, List<String>> values = new LinkedHashMap<>();

  /** Reads what follows the question mark; nothing where there is none. */
  public static Query parse(@Nullable String text) {
    Query query = new Query();
    if (text == null || text.isEmpty()) {
      return query;
    }
    String[] parts = text.split("&", MOST + 1);
    if (parts.length > MOST) {
      throw new IllegalArgumentException("too many parameters; send no more than " + MOST);
    }
    for (String part : parts) {
      int equals = part.indexOf('=');
      String name = decoded(equals < 0 ? part : part.substring(0, equals));
      String value = equals < 0 ? "" : decoded(part.substring(equals + 1));
      query.values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
    }
    return query;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("a parameter is not percent-encoded as in URLs", e);
    }
  }

  /** The first value of {@code name}; empty where there is none. */
  public String text(String name) {
    List<String> all = all(name);
    return all.isEmpty() ? "" : all.getFirst().strip();
  }

  /** All values of {@code name} that are not empty. */
  public List<String> all(String name) {
    return values.getOrDefault(name, List.of()).stream().filter(value -> !value.isBlank()).toList();
  }

  /** Whether {@code name} is there and not {@code false}. */
  public boolean truth(String name) {
    return values.containsKey(name) && !List.of("false", "0").contains(text(name));
  }
}
