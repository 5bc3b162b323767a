package dev.portolan.config.flags;

import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.Platform;
import dev.portolan.config.validation.Retirement;
import java.util.Locale;
import java.util.Optional;

/** The help text of the flags. */
public final class FlagHelp {
  private static final String INDENT = "      ";

  private FlagHelp() {}

  /** A line for each flag that is not deprecated and one below it, and the feature gates. */
  public static String text(FeatureGates gates, Platform platform) {
    StringBuilder out = new StringBuilder();
    Optional<String> ipvs = Retirement.ipvs(gates);
    for (Flag flag : Flag.of(platform).values()) {
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
      out.append('\n').append(INDENT).append(flag.description());
      if (flag.name().equals("proxy-mode")) {
        ipvs.ifPresent(text -> out.append(" Mode ").append(text).append('.'));
      } else if (flag.isOnlyForIpvs() && ipvs.isPresent()) {
        out.append(" Deprecated with mode ipvs.");
      }
      out.append('\n');
      if (flag.name().equals("feature-gates")) {
        gates.help().forEach(line -> out.append(INDENT).append("  ").append(line).append('\n'));
      }
    }
    return out.toString();
  }
}
