package dev.portolan.core.text;

import java.math.BigDecimal;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Quantities such as {@code 64Ki}, as Kubernetes writes them. */
public final class KubeQuantity {
  private static final Pattern FORM =
      Pattern.compile(
          "[-+]?([0-9]{1,18}(\\.[0-9]{0,18})?|\\.[0-9]{1,18})"
              + "(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|n|u|[eE][-+]?[0-9]{1,2})?");

  private static final Pattern NUMBER = Pattern.compile("([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)(.*)");

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

  private KubeQuantity() {}

  /** Whether {@code text} is a quantity. */
  public static boolean isOne(String text) {
    return FORM.matcher(text).matches();
  }

  /** How much it is, a part counting as one; empty where {@code text} is not a quantity. */
  public static OptionalLong parse(String text) {
    Matcher matcher = NUMBER.matcher(text);
    Double unit = isOne(text) && matcher.matches() ? UNITS.get(matcher.group(2)) : null;
    return unit == null
        ? OptionalLong.empty()
        : OptionalLong.of((long) Math.ceil(new BigDecimal(matcher.group(1)).doubleValue() * unit));
  }
}
