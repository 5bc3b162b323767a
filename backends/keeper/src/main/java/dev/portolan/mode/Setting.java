package dev.portolan.mode;

import java.util.Set;

/**
 * A setting of a mode that kube-proxy does not have, described once: the flag of the daemon, the
 * option of commands, their help and their completion follow from it.
 *
 * @param name what the flag and the option are called, without dashes
 * @param alias another name of the option, such as that of a flag of kube-proxy; or empty
 * @param byDefault its text where none is given; empty where {@code help} says what that means
 * @param uses where it may be given
 * @param help what it does, in sentences
 */
public record Setting<T>(
    String name, String alias, SettingType<T> type, String byDefault, Set<Use> uses, String help) {
  /** Where a setting may be given. */
  public enum Use {
    /** As a flag of the daemon. */
    DAEMON,
    /** As an option of the commands that write rules, or print them. */
    RULES,
    /** As an option of the commands that look at a node. */
    NODE,
    /** As an option of the command that removes rules of all modes. */
    REMOVAL,
    /** Beside other modes too, which heed it as well. */
    OTHER_MODES
  }

  public Setting {
    uses = Set.copyOf(uses);
  }

  /** A setting that may be given in these places. */
  public static <T> Setting<T> of(
      String name, SettingType<T> type, String byDefault, String help, Use... uses) {
    return new Setting<>(name, "", type, byDefault, Set.of(uses), help);
  }

  /** The same, which may be typed under another name, too. */
  public Setting<T> orElse(String other) {
    return new Setting<>(name, other, type, byDefault, uses, help);
  }

  /** A setting that is off where it is not given. */
  public static Setting<Boolean> truth(String name, String help, Use... uses) {
    return of(name, SettingType.TRUTH, "false", help, uses);
  }

  /** The setting as it is typed. */
  public String spelling() {
    return "--" + name;
  }

  /** Whether it may be given there. */
  public boolean is(Use use) {
    return uses.contains(use);
  }
}
