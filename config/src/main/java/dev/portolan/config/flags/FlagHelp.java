package dev.portolan.config.flags;

import dev.portolan.config.gates.FeatureGates;
import java.util.Locale;

/** The help text of the flags. */
public final class FlagHelp {
  private static final String INDENT = "      ";

  private FlagHelp() {}

  /** A line for each flag that is not deprecated and one below it, and the feature gates. */
  public static String text(FeatureGates gates) {
    StringBuilder out = new StringBuilder();
    for (Flag flag : Flag.all().values()) {
      if (flag.deprecated()) {
        continue;
      }
      out.append("  ").append(flag.spelling());
      if (flag.type() != FlagType.TRUTH) {
        out.append(' ').append(flag.type().name().toLowerCase(Locale.ROOT).replace('_', ':'));
      }
      if (!flag.defaultValue().isEmpty() && !flag.defaultValue().equals("false")) {
        out.append(" (default ").append(flag.defaultValue()).append(')');
      }
      out.append('\n').append(INDENT).append(flag.description()).append('\n');
      if (flag.name().equals("feature-gates")) {
        gates.help().forEach(line -> out.append(INDENT).append("  ").append(line).append('\n'));
      }
    }
    return out.toString();
  }
}
