package dev.portolan.modes;

import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.gates.Platform;
import dev.portolan.mode.Setting;
import java.util.List;
import java.util.Optional;

/** The list of modes. A new backend is a line here and a class that implements its mode. */
public final class KernelModes {
  /** All of them. */
  public static final List<KernelMode> ALL =
      List.of(
          new NftablesMode(),
          new EbpfMode(new NftablesMode()),
          new UserspaceMode(new NftablesMode()),
          new IptablesMode(),
          new IpvsMode(),
          new WindowsMode());

  private KernelModes() {}

  /** Those that work on this system; the first is the default. */
  public static List<KernelMode> here() {
    return ALL.stream().filter(mode -> mode.runsOn(Platform.current())).toList();
  }

  /** The names of the backends that work on a system, as users write them. */
  public static List<String> names(Platform platform) {
    return ALL.stream().filter(mode -> mode.runsOn(platform)).map(KernelMode::name).toList();
  }

  /** The modes as a configuration and {@code --proxy-mode} name them. */
  public static List<String> words() {
    return ALL.stream().map(mode -> mode.mode().toString()).toList();
  }

  /** The settings of all modes that may be given there. */
  public static List<Setting<?>> settings(Setting.Use use) {
    return ALL.stream()
        .<Setting<?>>flatMap(mode -> mode.settings().stream())
        .filter(setting -> setting.is(use))
        .distinct()
        .toList();
  }

  /** The names of the modes that have {@code setting}. */
  public static List<String> owners(Setting<?> setting) {
    return ALL.stream()
        .filter(mode -> mode.settings().contains(setting))
        .map(KernelMode::name)
        .toList();
  }

  /** The names of those whose rules are tables of nftables with a name to choose. */
  public static List<String> withTables() {
    return ALL.stream().filter(mode -> mode.mode().isNftables()).map(KernelMode::name).toList();
  }

  /** The mode of this name, or with a backend of this name. */
  public static Optional<KernelMode> named(String name) {
    return ALL.stream()
        .filter(mode -> mode.name().equals(name) || mode.mode().toString().equals(name))
        .findFirst();
  }

  /** The mode of a configuration; empty where this program does not have it. */
  public static Optional<KernelMode> of(ProxyMode mode) {
    return ALL.stream().filter(one -> one.mode() == mode).findFirst();
  }

  /**
   * The rules of a configured mode.
   *
   * @throws IllegalStateException where this program does not have the mode
   */
  public static ModeRules rules(ProxyMode mode, ModeSettings settings) {
    return of(mode)
        .orElseThrow(() -> new IllegalStateException("mode " + mode + " is not a kernel's"))
        .rules(settings);
  }
}
