package dev.portolan.source.record;

import dev.portolan.core.text.Quotes;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How fast a recording is played: how many seconds of it in one second. */
public record Speed(double factor) {
  /** As it happened. */
  public static final Speed ORIGINAL = new Speed(1);

  /** Without pauses. */
  public static final Speed MAX = new Speed(Double.POSITIVE_INFINITY);

  private static final Pattern TIMES = Pattern.compile("([0-9]{1,6}(\\.[0-9]{1,6})?)x");

  /** Reads {@code 1x}, {@code 10x}, {@code 0.5x} or {@code max}. */
  public static Speed parse(String text) {
    if (text.equals("max")) {
      return MAX;
    }
    Matcher times = TIMES.matcher(text);
    double factor = times.matches() ? Double.parseDouble(times.group(1)) : 0;
    if (factor <= 0) {
      throw new IllegalArgumentException(
          Quotes.quote(text) + " is not a speed; write 1x, 10x, 0.5x or max");
    }
    return new Speed(factor);
  }

  /** How long a recorded span takes at this speed. */
  public Duration of(Duration original) {
    return Duration.ofNanos((long) (original.toNanos() / factor));
  }
}
