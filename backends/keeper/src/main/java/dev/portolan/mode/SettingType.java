package dev.portolan.mode;

import dev.portolan.core.text.GoDuration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * How the text of a setting is read.
 *
 * @param word what the help of flags calls it
 * @param label what stands for the value in the help of options
 * @param words all that are allowed, where these are few
 * @param reader throws an {@link IllegalArgumentException} with the rule that a text breaks
 */
public record SettingType<T>(
    String word, String label, List<String> words, Function<String, T> reader) {
  /** On or off; without a value on. */
  public static final SettingType<Boolean> TRUTH =
      new SettingType<>("truth", "", List.of(), Boolean::parseBoolean);

  /** A duration, which is not negative. */
  public static final SettingType<Duration> DURATION =
      new SettingType<>(
          "duration",
          "DURATION",
          List.of(),
          text ->
              GoDuration.parse(text)
                  .filter(duration -> !duration.isNegative())
                  .orElseThrow(
                      () -> new IllegalArgumentException("must be a duration such as 15s")));

  /** An absolute path. */
  public static final SettingType<Path> PATH = text("PATH", SettingType::absolute);

  /** An absolute path; the empty one stands for none. */
  public static final SettingType<Path> PATH_OR_NONE =
      text("PATH", text -> text.isEmpty() ? Path.of(text) : absolute(text));

  public SettingType {
    words = List.copyOf(words);
  }

  /** A text that {@code reader} reads. */
  public static <T> SettingType<T> text(String label, Function<String, T> reader) {
    return new SettingType<>("text", label, List.of(), reader);
  }

  /** One of a few values, as {@code name} calls them. */
  public static <T> SettingType<T> choice(String label, List<T> values, Function<T, String> name) {
    List<String> words = values.stream().map(name).toList();
    return new SettingType<>(
        "text",
        label,
        words,
        text -> {
          int index = words.indexOf(text);
          if (index < 0) {
            throw new IllegalArgumentException("must be one of " + String.join(", ", words));
          }
          return values.get(index);
        });
  }

  private static Path absolute(String text) {
    Path path = Path.of(text);
    // A path of Linux is not absolute on Windows, but settings have such defaults there, too.
    if (!path.isAbsolute() && !text.startsWith("/")) {
      throw new IllegalArgumentException("must be a path that starts with /");
    }
    return path;
  }

  /** The value that {@code text} stands for. */
  public T read(String text) {
    return reader.apply(text);
  }
}
