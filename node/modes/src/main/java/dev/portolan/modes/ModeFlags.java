package dev.portolan.modes;

import dev.portolan.config.flags.Flag;
import dev.portolan.config.flags.MoreFlags;
import dev.portolan.mode.Setting;
import java.util.List;

/** The flags of the daemon that modes describe as their settings. */
public final class ModeFlags implements MoreFlags {
  @Override
  public List<Flag> flags() {
    return KernelModes.settings(Setting.Use.DAEMON).stream().map(ModeFlags::flag).toList();
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
