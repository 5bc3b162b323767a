package dev.portolan.config.flags;

import dev.portolan.config.gates.Platform;
import dev.portolan.text.syntax.TableFile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A flag of the command line, out of {@code flags.table}.
 *
 * @param path the field of v1alpha2 that it sets; null where it sets none, or needs more than that
 * @param appliesWithConfig whether it has an effect beside a configuration file
 * @param deprecated whether it is hidden and warns; its description says what to use
 */
public record Flag(
    String name,
    FlagType type,
    String defaultValue,
    @Nullable String path,
    boolean appliesWithConfig,
    boolean deprecated,
    String description) {
  private static final Map<String, Flag> ALL = load();

  private static Map<String, Flag> load() {
    Map<String, Flag> flags = new LinkedHashMap<>();
    for (String line : TableFile.lines(Flag.class, "flags.table")) {
      List<String> cells = TableFile.cells(line, 6);
      Flag flag =
          new Flag(
              cells.get(0),
              FlagType.named(cells.get(1)),
              cells.get(2).equals("-") ? "" : cells.get(2),
              cells.get(3).equals("-") ? null : cells.get(3),
              cells.get(4).equals("applies"),
              cells.get(4).equals("hidden"),
              cells.get(5));
      flags.put(flag.name(), flag);
    }
    return flags;
  }

  /** Every flag by its name, in the order of the help text. */
  public static Map<String, Flag> all() {
    return Collections.unmodifiableMap(ALL);
  }

  /** The flag with this name, which exists. */
  static Flag named(String name) {
    return Objects.requireNonNull(ALL.get(name), name);
  }

  /** The flags that there are on {@code platform}; on any other they are unknown. */
  public static Map<String, Flag> of(Platform platform) {
    Map<String, Flag> flags = new LinkedHashMap<>(ALL);
    flags.values().removeIf(flag -> platform != Platform.WINDOWS && flag.isForWindows());
    return flags;
  }

  /** Whether only Windows has it. */
  boolean isForWindows() {
    return path != null && (path.startsWith("windows.") || path.startsWith("winkernel."));
  }

  /** Whether it does nothing in other modes; excluded ranges are spared by a takeover too. */
  boolean isOnlyForIpvs() {
    return name.startsWith("ipvs-") && !name.equals("ipvs-exclude-cidrs");
  }

  /** Whether it may stand without a value. */
  public boolean mayStandAlone() {
    return type.mayStandAlone();
  }

  /** The flag as it is typed: {@code -v} or {@code --proxy-mode}. */
  public String spelling() {
    return (name.length() == 1 ? "-" : "--") + name;
  }
}
