package dev.portolan.telemetry.log;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The number of bytes that a quantity such as {@code 64Ki} stands for. */
final class BufferSize {
  /** More than this would only delay lines. */
  private static final int LARGEST = 16 << 20;

  private static final Pattern QUANTITY = Pattern.compile("([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)(.*)");
  private static final Map<String, Double> UNITS =
      Map.ofEntries(
          Map.entry("", 1.0),
          Map.entry("n", 1e-9),
          Map.entry("u", 1e-6),
          Map.entry("m", 1e-3),
          Map.entry("k", 1e3),
          Map.entry("M", 1e6),
          Map.entry("G", 1e9),
          Map.entry("T", 1e12),
          Map.entry("P", 1e15),
          Map.entry("E", 1e18),
          Map.entry("Ki", 0x1p10),
          Map.entry("Mi", 0x1p20),
          Map.entry("Gi", 0x1p30),
          Map.entry("Ti", 0x1p40),
          Map.entry("Pi", 0x1p50),
          Map.entry("Ei", 0x1p60));

  private BufferSize() {}

  /** Reads a quantity that the configuration has accepted; a part of a byte counts as one. */
  static int of(String quantity) {
    Matcher matcher = QUANTITY.matcher(quantity);
    Double unit = matcher.matches() ? UNITS.get(matcher.group(2)) : null;
    if (unit == null) {
      throw new IllegalArgumentException("'" + quantity + "' is not a valid quantity such as 64Ki");
    }
    double bytes = Math.ceil(new BigDecimal(matcher.group(1)).doubleValue() * unit);
    return (int) Math.clamp(bytes, 0, LARGEST);
  }
}
