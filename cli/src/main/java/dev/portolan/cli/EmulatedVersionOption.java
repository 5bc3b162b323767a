package dev.portolan.cli;

import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import picocli.CommandLine.Option;

/** The release of Kubernetes to behave like. */
final class EmulatedVersionOption {
  @Option(
      names = "--emulated-version",
      paramLabel = "RELEASE",
      description = "The Kubernetes release whose feature gates and defaults apply. Default: 1.37.")
  private String release = KubeVersion.CURRENT.toString();

  /** The feature gates of the release, at their defaults. */
  FeatureGates gates() {
    return FeatureGates.defaults(
        KubeVersion.parse(release)
            .orElseThrow(() ->
                CommandFailure.usage(
                    "--emulated-version: '"
                        + Text.printable(release)
                        + "' is not a valid release; write one such as 1.37")));
  }
}
