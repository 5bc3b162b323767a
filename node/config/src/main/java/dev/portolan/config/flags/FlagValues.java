package dev.portolan.config.flags;

import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import dev.portolan.text.Spelling;
import dev.portolan.text.syntax.DoubleQuotes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The flags that were given on the command line. */
public final class FlagValues {
  private final Map<String, Object> given = new LinkedHashMap<>();
  private final List<Finding> errors = new ArrayList<>();
  private final List<String> positional = new ArrayList<>();

  private final Map<String, Flag> known;

  private FlagValues(Platform platform) {
    this.known = Flag.of(platform);
  }

  /** Reads a command line; all errors in one {@link ConfigException}. */
  public static FlagValues parse(List<String> arguments, Platform platform) {
    FlagValues flags = new FlagValues(platform);
    flags.read(arguments);
    if (!flags.positional.isEmpty()) {
      String got =
          flags.positional.stream().map(DoubleQuotes::quote).collect(Collectors.joining(" "));
      flags.error("\"kube-proxy\" does not take any arguments, got [" + got + "]");
    }
    if (!flags.errors.isEmpty()) {
      throw new ConfigException(flags.errors);
    }
    return flags;
  }

  private void read(List<String> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals("--")) {
        positional.addAll(arguments.subList(i + 1, arguments.size()));
        return;
      }
      if (!argument.startsWith("-") || argument.equals("-")) {
        positional.add(argument);
        continue;
      }
      String[] parts = split(argument);
      Flag flag = known.get(parts[0]);
      if (flag == null) {
        unknown(argument, parts[0]);
      } else if (parts.length == 2) {
        set(flag, parts[1]);
      } else if (flag.type().mayStandAlone()) {
        set(flag, "true");
      } else if (i + 1 < arguments.size()) {
        set(flag, arguments.get(++i));
      } else {
        error("flag needs an argument: " + flag.spelling());
      }
    }
  }

  /** Name and value, or the name alone; {@code _} in a name is the same as {@code -}. */
  private static String[] split(String argument) {
    String text = argument.substring(argument.startsWith("--") ? 2 : 1);
    if (!argument.startsWith("--")) {
      if (text.equals("h")) {
        return new String[] {"help"};
      }
      if (text.startsWith("v") && text.length() > 1) {
        return new String[] {"v", text.substring(text.startsWith("v=") ? 2 : 1)};
      }
      return new String[] {text.equals("v") ? text : "-" + text};
    }
    int equals = text.indexOf('=');
    String name = (equals < 0 ? text : text.substring(0, equals)).replace('_', '-');
    return equals < 0 ? new String[] {name} : new String[] {name, text.substring(equals + 1)};
  }

  private void unknown(String argument, String name) {
    boolean isShort = !argument.startsWith("--");
    Optional<String> near =
        isShort
            ? known.keySet().stream()
                .filter(name.substring(1)::startsWith)
                .filter(one -> one.length() > 1)
                .findFirst()
            : Spelling.nearest(name, known.keySet());
    error(
        "unknown flag: "
            + (isShort ? DoubleQuotes.quote(argument) : "--" + name)
            + (Flag.all().containsKey(name)
                ? "; only Windows has it, so remove it"
                : near.map(one -> "; did you mean --" + one + "?").orElse("; see --help")));
  }

  private void set(Flag flag, String text) {
    try {
      Object value = flag.parse(text);
      given.merge(flag.name(), value, FlagValues::merge);
    } catch (ConfigException e) {
      error(
          "invalid argument "
              + DoubleQuotes.quote(text)
              + " for \""
              + flag.spelling()
              + "\" flag: "
              + e.getMessage());
    }
  }

  /** Lists and gates grow with each use of their flag; of anything else the last one counts. */
  private static Object merge(Object before, Object next) {
    if (before instanceof List<?> one && next instanceof List<?> two) {
      List<Object> all = new ArrayList<>(one);
      all.addAll(two);
      return List.copyOf(all);
    }
    if (before instanceof Map<?, ?> one && next instanceof Map<?, ?> two) {
      Map<Object, Object> all = new TreeMap<>(one);
      all.putAll(two);
      return all;
    }
    return next;
  }

  private void error(String text) {
    errors.add(Finding.of(FindingSeverity.ERROR, "", text));
  }

  /** Whether the flag was given. */
  public boolean has(String name) {
    return given.containsKey(name);
  }

  /** Whether the flag has an effect: beside a configuration file most have none. */
  boolean applies(Flag flag) {
    return flag.appliesWithConfig() || text("config").isEmpty();
  }

  /** The value of a flag that was given. */
  public Optional<Object> given(String name) {
    return Optional.ofNullable(given.get(name));
  }

  /** The value of a flag, or its default. */
  Object value(String name) {
    Object value = given.get(name);
    Flag flag = Flag.named(name);
    return value == null ? flag.parse(flag.defaultValue()) : value;
  }

  /** The text of a flag, or its default. */
  public String text(String name) {
    return value(name).toString();
  }

  /** The truth of a flag, or its default. */
  public boolean truth(String name) {
    return value(name).equals(true);
  }

  /** The duration of a flag, or its default. */
  public Duration duration(String name) {
    return (Duration) value(name);
  }

  /** The whole number of a flag, or its default. */
  public long number(String name) {
    return ((Number) value(name)).longValue();
  }

  /** The Kubernetes version to behave like. */
  public KubeVersion emulated() {
    return (KubeVersion) value("emulated-version");
  }

  /** The flags that were given, in the order of the command line. */
  public List<Flag> given() {
    return given.keySet().stream().map(Flag::named).toList();
  }

  /** One sentence for each deprecated flag, and beside a file for each flag without effect. */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (Flag flag : given()) {
      if (flag.deprecated()) {
        warnings.add(flag.spelling() + " is deprecated; " + flag.description());
      }
      if (!applies(flag)) {
        warnings.add(
            flag.spelling()
                + " is ignored because --config is set; set it in the file"
                + Optional.ofNullable(flag.path()).map(path -> " as " + path).orElse(""));
      }
    }
    return warnings;
  }
}
