package dev.portolan.config.fields;

import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.Platform;
import java.util.List;

/** What an empty field stands for on the platform: the last step before a configuration is used. */
public final class PlatformDefaults {
  private PlatformDefaults() {}

  /** {@code configuration} with nothing left to the platform. */
  public static ProxyConfiguration apply(
      ProxyConfiguration configuration, Platform platform, FeatureGates gates) {
    Settings settings = configuration.settings();
    if (settings.isMode(ProxyMode.UNSET)) {
      settings = settings.with("mode", ProxyMode.byDefault(platform, gates.emulated()).toString());
    }
    if (platform == Platform.WINDOWS) {
      return ProxyConfiguration.of(
          settings.text("winkernel.rootHnsEndpointName").isEmpty()
              ? settings.with("winkernel.rootHnsEndpointName", "cbr0")
              : settings);
    }
    if (ProxyMode.parse(settings.text("mode")).filter(ProxyMode::isNftables).isPresent()
        && settings.texts("nodePortAddresses").isEmpty()) {
      settings = settings.with("nodePortAddresses", List.of("primary"));
    }
    if (settings.text("detectLocalMode").isEmpty()) {
      settings = settings.with("detectLocalMode", "ClusterCIDR");
    }
    return ProxyConfiguration.of(settings);
  }
}
