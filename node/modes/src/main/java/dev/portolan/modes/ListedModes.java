package dev.portolan.modes;

import dev.portolan.config.fields.MoreModes;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.flags.Flag;
import dev.portolan.config.flags.MoreFlags;
import dev.portolan.mode.Setting;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a configuration and a command line get to know of the list of modes. */
public final class ListedModes implements MoreFlags, MoreModes {
  /** The words of kube-proxy, which its configuration knows by itself. */
  private static final Set<String> KNOWN =
      Stream.of(ProxyMode.IPTABLES, ProxyMode.IPVS, ProxyMode.NFTABLES, ProxyMode.KERNELSPACE)
          .map(ProxyMode::toString)
          .collect(Collectors.toUnmodifiableSet());

  @Override
  public List<ProxyMode> modes() {
    return KernelModes.ALL.stream()
        .filter(mode -> !KNOWN.contains(mode.word()))
        .map(mode -> ProxyMode.of(mode.word(), mode.section()))
        .toList();
  }

  @Override
  public List<Flag> flags() {
    return KernelModes.settings(Setting.Use.DAEMON).stream().map(ListedModes::flag).toList();
  }

  private static Flag flag(Setting<?> setting) {
    return Flag.of(
        setting.name(),
        setting.type().word(),
        setting.type()::read,
        setting.byDefault(),
        setting.help());
  }
}
