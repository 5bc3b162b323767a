package dev.portolan.config;

import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.flags.FlagHelp;
import dev.portolan.config.flags.FlagValues;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import java.util.List;

/** What a command line of {@code kube-proxy} asks for. */
public sealed interface Start permits Start.ShowHelp, Start.ShowVersion, StartPlan {
  /**
   * The help text is wanted.
   *
   * @param text lines of any length
   */
  record ShowHelp(String text) implements Start {}

  /**
   * The version is wanted.
   *
   * @param emulated the version of Kubernetes to name
   * @param raw whether all that is known of the version is wanted
   */
  record ShowVersion(KubeVersion emulated, boolean raw) implements Start {}

  /** Gets the text of a file by its name; throws a {@link ConfigException} where it cannot. */
  @FunctionalInterface
  interface Reader {
    String read(String file);
  }

  /** Works out a command line; all that is wrong with it in one {@link ConfigException}. */
  static Start of(List<String> arguments, Reader reader, Platform platform) {
    FlagValues flags = FlagValues.parse(arguments, platform);
    if (flags.truth("help")) {
      return new ShowHelp(FlagHelp.text(FeatureGates.defaults(flags.emulated()), platform));
    }
    String version = flags.text("version");
    if (version.equals("true") || version.equals("raw")) {
      return new ShowVersion(flags.emulated(), version.equals("raw"));
    }
    return StartPlan.of(flags, reader, platform);
  }
}
