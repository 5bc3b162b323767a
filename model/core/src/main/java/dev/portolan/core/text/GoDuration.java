package dev.portolan.core.text;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go reads and writes them: {@code 1m30s}, {@code 250ms}, {@code 0s}. */
public final class GoDuration {
  private static final Pattern PART =
      Pattern.compile("(?=\\.?[0-9])([0-9]*)(?:\\.([0-9]*))?(ns|us|µs|μs|ms|s|m|h)");
  private static final int LONGEST = 100;
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

  private GoDuration() {}

  /** The duration that {@code text} is; empty where it is none, or longer than Go can hold. */
  public static Optional<Duration> parse(String text) {
    boolean negative = text.startsWith("-");
    String rest = negative || text.startsWith("+") ? text.substring(1) : text;
    if (rest.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    if (rest.isEmpty() || rest.length() > LONGEST) {
      return Optional.empty();
    }
    BigInteger nanos = BigInteger.ZERO;
    Matcher part = PART.matcher(rest);
    int position = 0;
    while (position < rest.length()) {
      if (!part.find(position) || part.start() != position) {
        return Optional.empty();
      }
      String fraction = Objects.requireNonNullElse(part.group(2), "");
      nanos =
          nanos.add(
              new BigInteger(part.group(1) + fraction)
                  .multiply(BigInteger.valueOf(nanosOf(part.group(3))))
                  .divide(BigInteger.TEN.pow(fraction.length())));
      position = part.end();
    }
    if (nanos.compareTo(MOST) > 0) {
      return Optional.empty();
    }
    return Optional.of(Duration.ofNanos(negative ? -nanos.longValue() : nanos.longValue()));
  }

  /** {@code duration} in Go's spelling. */
  public static String format(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    String sign = duration.isNegative() ? "-" : "";
    long nanos = Math.abs(duration.toNanos());
    if (nanos < 1_000) {
      return sign + nanos + "ns";
    }
    if (nanos < 1_000_000) {
      return sign + decimal(nanos, 3) + "µs";
    }
    if (nanos < 1_000_000_000) {
      return sign + decimal(nanos, 6) + "ms";
    }
    long minutes = nanos / 60_000_000_000L;
    String seconds = decimal(nanos % 60_000_000_000L, 9) + "s";
    if (minutes == 0) {
      return sign + seconds;
    }
    return sign + (minutes >= 60 ? minutes / 60 + "h" : "") + minutes % 60 + "m" + seconds;
  }

  /** Writes digits after the point without trailing zeros; big decimals load slowly. */
  private static String decimal(long nanos, int digits) {
    String text = Long.toString(nanos);
    String all = "0".repeat(Math.max(0, digits + 1 - text.length())) + text;
    int point = all.length() - digits;
    int end = all.length();
    while (end > point && all.charAt(end - 1) == '0') {
      end--;
    }
    return all.substring(0, point) + (end > point ? "." + all.substring(point, end) : "");
  }

  private static long nanosOf(String unit) {
    return switch (unit) {
      case "ns" -> 1;
      case "ms" -> 1_000_000;
      case "s" -> 1_000_000_000;
      case "m" -> 60_000_000_000L;
      case "h" -> 3_600_000_000_000L;
      default -> 1_000;
    };
  }
}
