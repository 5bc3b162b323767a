package dev.portolan.options;

import dev.portolan.config.flags.Flag;
import dev.portolan.config.flags.FlagType;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.text.GoDuration;
import dev.portolan.mode.Mode;
import dev.portolan.mode.Setting;
import dev.portolan.mode.Setting.Use;
import dev.portolan.mode.SettingType;
import dev.portolan.modes.KernelModes;
import dev.portolan.terminal.Choice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/**
 * The settings of modes as options. What a mode says of its own, and {@code flags.table} of those
 * that kube-proxy has, is all that is known of them.
 */
public final class ModeOptions {
  private final Use use;
  private final List<Row> rows = new ArrayList<>();

  /**
   * An option.
   *
   * @param key the name of the setting, or the path of the field
   * @param owners the backends that have it; empty where any may
   * @param reader reads what was given
   */
  private record Row(
      OptionSpec option,
      String key,
      boolean field,
      List<String> owners,
      Function<Object, Object> reader) {}

  /** Those for {@code use}. */
  public ModeOptions(Use use) {
    this.use = use;
  }

  /** Adds the options to the mixin that this is. */
  @Spec
  void describe(CommandSpec spec) {
    for (Mode mode : KernelModes.ALL) {
      mode.settings().stream()
          .filter(setting -> setting.is(use))
          .filter(setting -> rows.stream().noneMatch(row -> row.key.equals(setting.name())))
          .forEach(setting -> rows.add(row(setting)));
      if (use == Use.RULES) {
        mode.fields().forEach(path -> rows.add(row(path, mode)));
      }
    }
    rows.forEach(row -> spec.addOption(row.option));
  }

  private static Row row(Setting<?> setting) {
    boolean truth = setting.type().equals(SettingType.TRUTH);
    String usual =
        truth || setting.byDefault().isEmpty() ? "" : " Default: " + setting.byDefault() + ".";
    OptionSpec.Builder option = option(setting.spelling(), setting.help() + usual);
    if (!setting.alias().isEmpty()) {
      option.names(setting.spelling(), "--" + setting.alias());
    }
    return new Row(
        (truth ? option.type(Boolean.class).arity("0") : option.paramLabel(setting.type().label()))
            .build(),
        setting.name(),
        false,
        setting.is(Use.OTHER_MODES) ? List.of() : KernelModes.owners(setting),
        given -> given instanceof String text ? read(setting, text) : given);
  }

  private static Row row(String path, Mode mode) {
    Flag flag = Flag.of(path);
    OptionSpec.Builder option =
        option(flag.spelling(), flag.description() + " Default: that of --config.");
    switch (flag.type()) {
      case TRUTH ->
          option.type(Boolean.class).arity("0..1").fallbackValue("true").paramLabel("BOOLEAN");
      case TEXTS ->
          option
              .type(List.class)
              .auxiliaryTypes(String.class)
              .splitRegex(",")
              .hideParamSyntax(true)
              .paramLabel("CIDR[,CIDR...]");
      case TEXT -> option.paramLabel("NAME");
      default -> option.paramLabel(flag.type().name());
    }
    return new Row(option.build(), path, true, List.of(mode.name()), given -> read(flag, given));
  }

  private static OptionSpec.Builder option(String name, String help) {
    return OptionSpec.builder(name)
        .type(String.class)
        .arity("1")
        .description(help.replace("%", "%%"));
  }

  /** The value that {@code text} stands for, as a user gives it to {@code setting}. */
  static <T> T read(Setting<T> setting, String text) {
    SettingType<T> type = setting.type();
    if (!type.words().isEmpty()) {
      return type.read(Choice.of(setting.spelling(), text, type.words()));
    }
    try {
      return type.read(text);
    } catch (IllegalArgumentException e) {
      throw NodeSettingsOptions.bad(setting.spelling(), text, String.valueOf(e.getMessage()));
    }
  }

  private static Object read(Flag flag, Object given) {
    return switch (given) {
      case String text when flag.type() == FlagType.DURATION ->
          GoDuration.parse(text)
              .filter(duration -> !duration.isNegative())
              .orElseThrow(() ->
                  NodeSettingsOptions.bad(flag.spelling(), text, "must be a duration such as 15m"));
      case String text when flag.type() == FlagType.IP && Ip.parse(text).isEmpty() ->
          throw NodeSettingsOptions.bad(flag.spelling(), text, "must be an IP address");
      case List<?> texts -> texts.stream().map(text -> cidr(flag, text.toString())).toList();
      default -> given;
    };
  }

  private static String cidr(Flag flag, String text) {
    if (Cidr.parse(text).isEmpty()) {
      throw NodeSettingsOptions.bad(flag.spelling(), text, "is not a valid CIDR");
    }
    return text;
  }

  /** The values of modes' own settings that were given, by their names. */
  public Map<String, Object> settings() {
    return values(false);
  }

  /** The values of fields that were given, by their paths in a configuration. */
  Map<String, Object> fields() {
    return values(true);
  }

  private Map<String, Object> values(boolean fields) {
    Map<String, Object> values = new HashMap<>();
    rows.stream()
        .filter(row -> row.field == fields && row.option.getValue() != null)
        .forEach(row -> values.put(row.key, row.reader.apply(row.option.getValue())));
    return values;
  }

  /** Says that what was given means nothing to {@code backend}, where that is so. */
  void refuseFor(String backend) {
    rows.stream()
        .filter(row -> !row.owners.isEmpty() && row.option.getValue() != null)
        .forEach(row -> OtherBackend.refuse(row.option.names()[0], true, row.owners, backend));
  }
}
