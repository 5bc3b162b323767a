package dev.portolan.options;

import dev.portolan.config.gates.Platform;
import dev.portolan.modes.KernelModes;
import dev.portolan.terminal.Choice;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** An option whose value is a mode of the list, in its help too. */
public final class ModeOption {
  private final OptionSpec option;

  private ModeOption(String name, String label, String help, List<String> words) {
    this.option =
        OptionSpec.builder(name)
            .type(String.class)
            .arity("1")
            .paramLabel(label)
            .description(help.replace("{modes}", Choice.or(KernelModes.names(Platform.LINUX))))
            .completionCandidates(words)
            .build();
  }

  /**
   * {@code --backend}.
   *
   * @param help with {@code {modes}} in the place of those of Linux
   */
  public static ModeOption backend(String help) {
    return new ModeOption("--backend", "BACKEND", help, KernelModes.names(Platform.current()));
  }

  /** {@code --proxy-mode}, with the same help. */
  public static ModeOption mode(String help) {
    return new ModeOption("--proxy-mode", "MODE", help, KernelModes.words());
  }

  /** Adds the option to the mixin that this is. */
  @Spec
  void describe(CommandSpec spec) {
    spec.addOption(option);
  }

  /** What was given; null for nothing. */
  public @Nullable String value() {
    return option.getValue();
  }
}
