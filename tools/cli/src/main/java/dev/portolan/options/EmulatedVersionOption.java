package dev.portolan.options;

import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import picocli.CommandLine.Option;

/** The release of Kubernetes to behave like. */
public final class EmulatedVersionOption {
  @Option(
      names = "--emulated-version",
      paramLabel = "RELEASE",
      description = "The Kubernetes release whose feature gates and defaults apply. Default: 1.37.")
  private String release = KubeVersion.CURRENT.toString();

  /** The feature gates of the release, at their defaults. */
  public FeatureGates gates() {
    return FeatureGates.defaults(
        KubeVersion.emulated(release)
            .orElseThrow(() ->
                CommandFailure.usage(
                    "--emulated-version: '"
                        + Text.printable(release)
                        + "' is not a release that can be emulated; write one from "
                        + KubeVersion.OLDEST
                        + " to "
                        + KubeVersion.NEWEST)));
  }
}
