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
 * The move of a cluster to another mode.
 *
 * @param from the mode that it leaves
 * @param to the mode that it moves to
 * @param items what there is to know and to do, those that need a person first
 * @param settings the new configuration, in the latest version and every field with its value
 * @param ipvs IPVS on the node that was looked at, if one was
 */
public record Migration(
    ProxyMode from,
    ProxyMode to,
    List<MigrationItem> items,
    Settings settings,
    Optional<LiveIpvs> ipvs) {
  /** The modes that can be moved to, the usual one first. */
  public static final List<ProxyMode> TARGETS = List.of(ProxyMode.NFTABLES, ProxyMode.IPTABLES);

  /** The field of another mode's section that still does something. */
  private static final String KEPT = "ipvs.excludeCIDRs";

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
   * @param to one of {@link #TARGETS}
   * @param written the configuration as it stands in its file
   * @param version the release that says what an unset mode means
   * @param cluster the cluster, where it is known
   * @param node the node that was looked at, if one was
   */
  public static Migration of(
      ProxyMode to,
      Settings written,
      KubeVersion version,
      Optional<Brain> cluster,
      Optional<ThisNode> node) {
    Present present = Present.of(to, written, version, cluster.map(MigrationImpact::new), node);
    Optional<LiveIpvs> ipvs =
        node.map(ThisNode::ipvs)
            .map(live -> present.services().map(known -> live.of(known::at)).orElse(live));
    return new Migration(
        present.mode(), to, MoveRules.items(present), settings(written, present), ipvs);
  }

  /** The configuration after the move, for a look at what it needs. */
  public static Settings settings(ProxyMode to, Settings written, KubeVersion version) {
    return settings(written, Present.of(to, written, version, Optional.empty(), Optional.empty()));
  }

  /** Whether something needs a person. */
  public boolean needsPerson() {
    return items.stream().anyMatch(item -> item.level() == MigrationItem.Level.CHECK);
  }

  /** The new configuration in the shape of {@code version}, and what that cannot say. */
  public Conversion.Result in(ConfigVersion version) {
    return Conversion.convert(settings, version);
  }

  /** The new configuration as a file of {@code version}. */
  public String file(ConfigVersion version) {
    return SettingsWriter.nonDefaults(in(version).settings());
  }

  /** Today's behaviour where the new mode can have it; sections of other modes are left out. */
  private static Settings settings(Settings written, Present present) {
    Settings settings = Conversion.convert(written, ConfigVersion.latest()).settings();
    ProxyMode to = present.target();
    boolean stays = !present.moves();
    for (String path : settings.values().keySet()) {
      boolean isOfAMode =
          path.startsWith("ipvs.") || path.startsWith("iptables.") || path.startsWith("nftables.");
      if (isOfAMode && !path.equals(KEPT) && !(stays && path.startsWith(to + "."))) {
        settings = settings.without(path);
      }
    }
    if (!stays && present.configuration().nodePortAddresses().isEmpty()) {
      if (to == ProxyMode.NFTABLES) {
        settings = settings.with("nodePortAddresses", List.of("all"));
      } else if (present.isNftables()) {
        settings = settings.with("nodePortAddresses", List.of("primary"));
      }
    }
    Map<String, Boolean> gates = new TreeMap<>(present.configuration().featureGates());
    gates.remove(ProxyMode.IPVS_GATE);
    return Defaults.apply(
        settings
            .with("mode", to.toString())
            .with("featureGates", gates)
            .with(to + ".masqueradeBit", present.nextBit()));
  }
}
