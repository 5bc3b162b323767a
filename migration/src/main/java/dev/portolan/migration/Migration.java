package dev.portolan.migration;

import dev.portolan.brain.Brain;
import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.Conversion;
import dev.portolan.config.fields.Defaults;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.file.SettingsWriter;
import dev.portolan.config.gates.KubeVersion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The move of a cluster to nftables.
 *
 * @param from the mode that it leaves
 * @param items what there is to know and to do, those that need a person first
 * @param settings the new configuration, in the latest version and every field with its value
 */
public record Migration(ProxyMode from, List<MigrationItem> items, Settings settings) {
  /** The mode that everything moves to. */
  public static final ProxyMode TARGET = ProxyMode.NFTABLES;

  public Migration {
    items = List.copyOf(items);
  }

  /** Whether there is a way from the mode of this configuration. */
  public static boolean isPossible(Settings written) {
    String mode = written.find("mode").map(String.class::cast).orElse("");
    return ProxyMode.parse(mode).filter(from -> from != ProxyMode.KERNELSPACE).isPresent();
  }

  /**
   * Works out the move.
   *
   * @param written the configuration as it stands in its file
   * @param version the release that says what an unset mode means
   * @param cluster the cluster, where it is known
   */
  public static Migration of(Settings written, KubeVersion version, Optional<Brain> cluster) {
    Present present = Present.of(written, version, cluster.map(MigrationImpact::new));
    return new Migration(present.mode(), MoveRules.items(present), settings(written, present));
  }

  /** Whether something needs a person. */
  public boolean needsPerson() {
    return items.stream().anyMatch(item -> item.level() == MigrationItem.Level.CHECK);
  }

  /** The new configuration as a file. */
  public String file() {
    return SettingsWriter.nonDefaults(settings);
  }

  /** Today's behaviour where nftables can have it; sections of other modes are left out. */
  private static Settings settings(Settings written, Present present) {
    Settings settings = Conversion.convert(written, ConfigVersion.latest()).settings();
    for (String path : settings.values().keySet()) {
      if (path.startsWith("ipvs.") || path.startsWith("iptables.")) {
        settings = settings.without(path);
      }
    }
    if (!present.isNftables() && present.configuration().nodePortAddresses().isEmpty()) {
      settings = settings.with("nodePortAddresses", List.of("all"));
    }
    Map<String, Boolean> gates = new TreeMap<>(present.configuration().featureGates());
    gates.remove(ProxyMode.IPVS_GATE);
    return Defaults.apply(
        settings
            .with("mode", TARGET.toString())
            .with("featureGates", gates)
            .with("nftables.masqueradeBit", present.nextBit()));
  }
}
