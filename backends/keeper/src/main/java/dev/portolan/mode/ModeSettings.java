package dev.portolan.mode;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What rules are written with; each mode takes its own part of it.
 *
 * @param fields as in a configuration file
 * @param gates whether a feature gate is on
 * @param chosen the settings that modes have of their own
 * @param rejectedOnLocalhost of which protocols nodePorts are rejected on the loopback addresses of
 *     a family, by modes whose nodePorts there are served by the daemon
 * @param namespace the network namespace to work in, if not this process's own
 * @param force whether tables of another program may be replaced
 * @param listener is notified of what a backend does beside syncs
 */
public record ModeSettings(
    Fields fields,
    Predicate<String> gates,
    Chosen chosen,
    Map<IpFamily, Set<Protocol>> rejectedOnLocalhost,
    Optional<Path> namespace,
    boolean force,
    ModeListener listener) {
  /** The bit of the packet mark; for modes whose section has a field for it. */
  public static final Setting<Integer> MASQUERADE_BIT =
      Setting.of(
              "masquerade-bit",
              SettingType.text("BIT", ModeSettings::bit),
              "",
              "The bit of the packet mark that requests masquerading, 0 to 31. Default: that of"
                  + " --config, otherwise 14.",
              Setting.Use.RULES)
          .orElse("iptables-masquerade-bit");

  private static int bit(String text) {
    if (!text.matches("[12]?[0-9]|3[01]")) {
      throw new IllegalArgumentException("must be a number between 0 and 31");
    }
    return Integer.parseInt(text);
  }

  public ModeSettings {
    rejectedOnLocalhost = Map.copyOf(rejectedOnLocalhost);
  }

  /** Settings of this process's own network namespace, with defaults for all that is not given. */
  public static ModeSettings of(Fields fields, Predicate<String> gates) {
    return new ModeSettings(
        fields, gates, Chosen.NOTHING, Map.of(), Optional.empty(), false, ModeListener.NONE);
  }

  /** The value of a setting that modes have of their own. */
  public <T> T of(Setting<T> setting) {
    return chosen.of(setting);
  }

  /** {@link #MASQUERADE_BIT}, or the field in this section. */
  public int masqueradeBit(String section) {
    return chosen.given(MASQUERADE_BIT).orElseGet(() -> fields.number(section + ".masqueradeBit"));
  }

  /** The same in another network namespace. */
  public ModeSettings in(Optional<Path> place) {
    return new ModeSettings(fields, gates, chosen, rejectedOnLocalhost, place, force, listener);
  }

  /** The same with another value of a setting. */
  public <T> ModeSettings with(Setting<T> setting, T value) {
    return choosing(Map.of(setting.name(), value));
  }

  /** The same with these values of settings, by their names. */
  public ModeSettings choosing(Map<String, ?> values) {
    return new ModeSettings(
        fields, gates, chosen.with(values), rejectedOnLocalhost, namespace, force, listener);
  }

  /** The same with these values in the configuration, by their paths in its latest version. */
  public ModeSettings with(Map<String, Object> values) {
    return new ModeSettings(
        fields.with(values), gates, chosen, rejectedOnLocalhost, namespace, force, listener);
  }

  /** The same, which rejects nodePorts of these protocols on localhost. */
  public ModeSettings rejectingOnLocalhost(Map<IpFamily, Set<Protocol>> protocols) {
    return new ModeSettings(fields, gates, chosen, protocols, namespace, force, listener);
  }

  /** The same, where {@code allowed} replacing the tables of another program. */
  public ModeSettings forced(boolean allowed) {
    return new ModeSettings(
        fields, gates, chosen, rejectedOnLocalhost, namespace, allowed, listener);
  }

  /** The same with a listener. */
  public ModeSettings telling(ModeListener other) {
    return new ModeSettings(fields, gates, chosen, rejectedOnLocalhost, namespace, force, other);
  }
}
