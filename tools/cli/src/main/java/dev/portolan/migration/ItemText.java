package dev.portolan.migration;

import dev.portolan.migration.MigrationItem.Affected;
import dev.portolan.migration.MigrationItem.Level;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The sentences of an item, with {@code {words}} still to be filled in. */
record ItemText(String id, Level level, String today, String after, String advice) {
  private static final Map<String, ItemText> ALL = load();

  /** The sentences of {@code id}. */
  static ItemText of(String id) {
    return Objects.requireNonNull(ALL.get(id), id);
  }

  /** The item, with {@code words} in place of their names. */
  MigrationItem with(Map<String, String> words, List<Affected> services) {
    return new MigrationItem(
        id, level, fill(today, words), fill(after, words), fill(advice, words), services);
  }

  private static String fill(String text, Map<String, String> words) {
    String filled = text;
    for (Map.Entry<String, String> word : words.entrySet()) {
      filled = filled.replace("{" + word.getKey() + "}", word.getValue());
    }
    return filled;
  }

  private static Map<String, ItemText> load() {
    Map<String, ItemText> texts = new LinkedHashMap<>();
    String file = read().replaceAll("(?m)^#.*\n", "");
    for (String block : file.split("(?m)^=== ", -1)) {
      if (!block.isBlank()) {
        ItemText text = parse(block);
        texts.put(text.id, text);
      }
    }
    return texts;
  }

  private static ItemText parse(String block) {
    String[] parts = block.split("(?m)^(today|after|do): ", -1);
    String[] head = parts[0].strip().split(" \\| ", -1);
    return new ItemText(
        head[0],
        Level.valueOf(head[1].toUpperCase(Locale.ROOT)),
        sentence(parts[1]),
        sentence(parts[2]),
        sentence(parts[3]));
  }

  private static String sentence(String lines) {
    return lines.strip().replaceAll("\\s+", " ");
  }

  private static String read() {
    try (InputStream in = ItemText.class.getResourceAsStream("items.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
