package dev.portolan.config.flags;

import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.gates.Platform;
import dev.portolan.text.syntax.TableFile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A flag of the command line, out of {@code flags.table} or from {@link MoreFlags}.
 *
 * @param type how it is typed, and what the help says of its value
 * @param reader reads a value; throws with the reason where a text is none
 * @param path the field of v1alpha2 that it sets; null where it sets none, or needs more than that
 * @param appliesWithConfig whether it has an effect beside a configuration file
 * @param deprecated whether it is hidden and warns; its description says what to use
 */
public record Flag(
    String name,
    FlagType type,
    Function<String, ?> reader,
    String defaultValue,
    @Nullable String path,
    boolean appliesWithConfig,
    boolean deprecated,
    String description) {
  /** Where flags from elsewhere stand among those of the table. */
  private static final String ELSEWHERE = "more flags";

  private static final Map<String, Flag> ALL = load();

  private static Map<String, Flag> load() {
    Map<String, Flag> flags = new LinkedHashMap<>();
    for (String line : TableFile.lines(Flag.class, "flags.table")) {
      if (line.equals(ELSEWHERE)) {
        for (MoreFlags more : ServiceLoader.load(MoreFlags.class, Flag.class.getClassLoader())) {
          more.flags().forEach(flag -> flags.put(flag.name(), flag));
        }
        continue;
      }
      List<String> cells = TableFile.cells(line, 6);
      FlagType type = FlagType.named(cells.get(1));
      Flag flag =
          new Flag(
              cells.get(0),
              type,
              type::parse,
              cells.get(2).equals("-") ? "" : cells.get(2),
              cells.get(3).equals("-") ? null : cells.get(3),
              cells.get(4).equals("applies"),
              cells.get(4).equals("hidden"),
              ProxyMode.naming(cells.get(5)));
      flags.put(flag.name(), flag);
    }
    return flags;
  }

  /**
   * A flag that sets no field, and applies with a configuration file too.
   *
   * @param type the word for its type in {@code flags.table}
   * @param reader reads a value, unless that is a truth; throws an {@link IllegalArgumentException}
   *     with the rule that a text breaks
   */
  public static Flag of(
      String name,
      String type,
      Function<String, ?> reader,
      String defaultValue,
      String description) {
    FlagType known = FlagType.named(type);
    return new Flag(
        name,
        known,
        known == FlagType.TRUTH ? known::parse : reader,
        defaultValue,
        null,
        true,
        false,
        description);
  }

  /** The flag that sets the field of v1alpha2 with this path. */
  public static Flag of(String path) {
    return ALL.values().stream().filter(flag -> path.equals(flag.path())).findFirst().orElseThrow();
  }

  /** The value that {@code text} stands for; throws with the reason where it is none. */
  Object parse(String text) {
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw ConfigException.of("", String.valueOf(e.getMessage()));
    }
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
