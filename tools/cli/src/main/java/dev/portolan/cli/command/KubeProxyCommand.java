package dev.portolan.cli.command;

import dev.portolan.brain.NodeSettings.LocalMode;
import dev.portolan.config.Start;
import dev.portolan.config.StartPlan;
import dev.portolan.config.file.ConfigText;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.flags.Flag;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.mode.Mode;
import dev.portolan.modes.KernelModes;
import dev.portolan.options.ConfigFindings;
import dev.portolan.options.OwnVersion;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.WrittenFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Runs as kube-proxy does, with its flags and its configuration file.
 *
 * <p>The flags have rules of their own, so nothing else reads this command line. Every mistake ends
 * with 1, as it does there.
 */
public final class KubeProxyCommand {
  public static final String NAME = "kube-proxy";

  private static final String HEADER = "Run as kube-proxy, with its flags and configuration file.";

  private static final Set<String> FILES =
      Set.of(
          "config",
          "kubeconfig",
          "write-config-to",
          "tls-key",
          "tls-crt",
          "tls-ca",
          "chart-token-file");

  private static final Map<String, List<String>> CHOICES =
      Map.of(
          "proxy-mode",
          KernelModes.here().stream().map(Mode::word).toList(),
          "logging-format",
          List.of("text", "json"),
          "detect-local-mode",
          Stream.of(LocalMode.values()).map(LocalMode::toString).toList());

  private final Terminal terminal;

  /** Prints to {@code terminal}. */
  public KubeProxyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The command for the list of all commands. */
  public static CommandSpec listed() {
    CommandSpec spec = CommandSpec.create().name(NAME);
    spec.usageMessage().header(HEADER);
    return spec;
  }

  /** The flags, for shells that complete them; the help is there already. */
  public static List<OptionSpec> flags() {
    return Flag.of(Platform.current()).values().stream()
        .filter(flag -> !flag.deprecated() && !flag.name().equals("help"))
        .map(KubeProxyCommand::option)
        .toList();
  }

  private static OptionSpec option(Flag flag) {
    boolean alone = flag.mayStandAlone();
    boolean file = FILES.contains(flag.name());
    // picocli calls the words for a shell by the label, so no two options share one.
    String label = flag.name().toUpperCase(Locale.ROOT).replace('-', '_');
    OptionSpec.Builder option =
        OptionSpec.builder(flag.spelling())
            .type(alone ? boolean.class : file ? Path.class : String.class)
            .paramLabel(file ? "FILE" : label)
            .arity(alone ? "0" : "1")
            .description(flag.description().replace("%", "%%"));
    List<String> words = CHOICES.getOrDefault(flag.name(), List.of());
    return (words.isEmpty() ? option : option.completionCandidates(words)).build();
  }

  /** Does what the flags ask for; returns the exit status. */
  public int run(List<String> flags) {
    try {
      return switch (Start.of(flags, ConfigText::read, Platform.current())) {
        case Start.ShowHelp help -> help(help.text());
        case Start.ShowVersion version -> version(version);
        case StartPlan plan -> start(plan);
      };
    } catch (ConfigException e) {
      new ConfigFindings(terminal).print(e.errors());
      return failed(
          ErrorCode.CONFIGURATION.mark(
              "kube-proxy cannot start: " + ConfigFindings.count(e.errors())));
    } catch (CommandFailure e) {
      return failed(e.sentence());
    }
  }

  private int start(StartPlan plan) {
    if (plan.writeConfigTo().isEmpty()) {
      return KubeProxyDaemon.run(plan, terminal); // It logs the warnings.
    }
    new ConfigFindings(terminal).print(plan.warnings());
    WrittenFile.replace(plan.writeConfigTo().get(), plan.asFile());
    return 0;
  }

  private int failed(String sentence) {
    terminal.remark("portolan: " + sentence);
    return CommandFailure.FAILED;
  }

  private int help(String flags) {
    terminal.print(HEADER);
    terminal.print("Usage: portolan kube-proxy [FLAG]...");
    terminal.print("");
    terminal.print(
        Text.wrap(
            "With --config, the file takes precedence. Only flags that concern this one instance"
                + " still apply; every other flag is ignored, with a warning. In flag names, _ is"
                + " the same as -.",
            terminal.width()));
    terminal.print("");
    flags.lines().forEach(line -> terminal.print(wrapped(line)));
    return 0;
  }

  /** A line of the help text in the width of the terminal, at its own indentation. */
  private List<String> wrapped(String line) {
    String text = line.stripLeading();
    String indentation = " ".repeat(line.length() - text.length());
    List<String> lines = new ArrayList<>();
    Text.wrap(text, terminal.width() - indentation.length())
        .forEach(part -> lines.add(indentation + part));
    return lines;
  }

  private int version(Start.ShowVersion version) {
    if (version.raw()) {
      terminal.print(VersionCommand.lines(FeatureGates.defaults(version.emulated())));
    } else {
      terminal.print(
          "Kubernetes v" + version.emulated() + ".0 (portolan " + OwnVersion.text() + ")");
    }
    return 0;
  }
}
