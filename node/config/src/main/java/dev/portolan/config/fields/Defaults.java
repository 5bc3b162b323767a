package dev.portolan.config.fields;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.text.syntax.HostPort;
import java.util.Map;
import java.util.TreeMap;

/** The defaults of each version; a version never takes those of the other. */
public final class Defaults {
  /** The port of the health server. */
  static final int HEALTHZ_PORT = 10256;

  /** The port of the metrics server. */
  static final int METRICS_PORT = 10249;

  private Defaults() {}

  /** {@code settings} with a value for every field of their version. */
  public static Settings apply(Settings settings) {
    ConfigVersion version = settings.version();
    boolean zeroMayBeUnset = version == ConfigVersion.V1ALPHA1;
    Map<String, Object> values = new TreeMap<>(settings.values());
    for (String path : FieldTable.paths(version)) {
      FieldRow row = FieldTable.row(version, path);
      if (zeroMayBeUnset && row.zeroIsUnset()) {
        values.remove(path, row.type(version).zero());
      }
    }
    if (version == ConfigVersion.V1ALPHA1 && values.containsKey("bindAddress")) {
      familyOf((String) values.get("bindAddress"), values);
    }
    for (String path : FieldTable.paths(version)) {
      values.putIfAbsent(path, FieldTable.row(version, path).defaultValue(version));
    }
    values.computeIfPresent(
        "healthzBindAddress", (path, text) -> HostPort.appendPort((String) text, HEALTHZ_PORT));
    values.computeIfPresent(
        "metricsBindAddress", (path, text) -> HostPort.appendPort((String) text, METRICS_PORT));
    return Settings.of(version, values);
  }

  /** In v1alpha1 the servers listen in the family of bindAddress; anything but IPv4 is IPv6. */
  private static void familyOf(String bindAddress, Map<String, Object> values) {
    boolean v4 = Ip.parse(bindAddress).filter(ip -> ip.family() == IpFamily.IPV4).isPresent();
    if (!v4) {
      values.putIfAbsent("healthzBindAddress", "[::]:" + HEALTHZ_PORT);
      values.putIfAbsent("metricsBindAddress", "[::1]:" + METRICS_PORT);
    }
  }
}
