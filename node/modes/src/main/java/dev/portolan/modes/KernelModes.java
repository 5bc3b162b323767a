package dev.portolan.modes;

import dev.portolan.backend.ebpf.EbpfMode;
import dev.portolan.backend.iptables.IptablesMode;
import dev.portolan.backend.ipvs.IpvsMode;
import dev.portolan.backend.nftables.NftablesMode;
import dev.portolan.backend.userspace.UserspaceMode;
import dev.portolan.backend.windows.WindowsMode;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.gates.Platform;
import dev.portolan.mode.Mode;
import dev.portolan.mode.ModeRules;
import dev.portolan.mode.ModeSettings;
import dev.portolan.mode.Setting;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The list of modes. A new backend is a line here and a class that implements its mode. */
public final class KernelModes {
  /** All of them. */
  public static final List<Mode> ALL =
      List.of(
          new NftablesMode(),
          new EbpfMode(new NftablesMode()),
          new UserspaceMode(new NftablesMode()),
          new IptablesMode(),
          new IpvsMode(),
          new WindowsMode());

  private KernelModes() {}

  /** Whether a mode works on a system. */
  public static boolean runsOn(Mode mode, Platform platform) {
    return mode.isForWindows() == (platform == Platform.WINDOWS);
  }

  /** Those that work on this system; the first is the default. */
  public static List<Mode> here() {
    return ALL.stream().filter(mode -> runsOn(mode, Platform.current())).toList();
  }

  /** The names of the backends that work on a system, as users write them. */
  public static List<String> names(Platform platform) {
    return ALL.stream().filter(mode -> runsOn(mode, platform)).map(Mode::name).toList();
  }

  /** The modes as a configuration and {@code --proxy-mode} name them. */
  public static List<String> words() {
    return ALL.stream().map(mode -> mode.word()).toList();
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
    return ALL.stream().filter(mode -> mode.settings().contains(setting)).map(Mode::name).toList();
  }

  /** The names of those whose rules are tables of nftables with a name to choose. */
  public static List<String> withTables() {
    return owners(NftablesMode.TABLE);
  }

  /** The mode of this name, or with a backend of this name. */
  public static Optional<Mode> named(String name) {
    return ALL.stream()
        .filter(mode -> mode.name().equals(name) || mode.word().equals(name))
        .findFirst();
  }

  /** The mode of a configuration; empty where this program does not have it. */
  public static Optional<Mode> of(ProxyMode mode) {
    return worded(mode.toString());
  }

  /** The mode that configurations and {@code --proxy-mode} name so. */
  public static Optional<Mode> worded(String word) {
    return ALL.stream().filter(mode -> mode.word().equals(word)).findFirst();
  }

  /**
   * The mode whose rules {@code there} says are present; the one with something of its own beside
   * the rules of another.
   */
  public static Optional<Mode> present(Predicate<Mode> there) {
    List<Mode> present = here().stream().filter(there).toList();
    return present.stream()
        .filter(mode -> present.stream().noneMatch(other -> other.includes().contains(mode)))
        .findFirst();
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
