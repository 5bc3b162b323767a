package dev.portolan.options;

import dev.portolan.backend.exec.ExecOptions;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which program is the backend, for {@code --backend exec}, and how it is spoken to. */
public final class ProgramOptions {
  private static final Pattern SECONDS = Pattern.compile("[1-9][0-9]{0,4}");

  @Parameters(
      arity = "0..*",
      paramLabel = "PROGRAM [ARG]",
      hideParamSyntax = true,
      description = "With --backend exec: the program that receives each change, after '--'.")
  private List<String> command = List.of();

  @Option(
      names = "--exec-mode",
      paramLabel = "MODE",
      description =
          "With --backend exec: full (all services with each change), incremental (only"
              + " differences) or call (all services, to a program started for each change)."
              + " Default: full.")
  private @Nullable String mode;

  @Option(
      names = "--exec-format",
      paramLabel = "FORMAT",
      description =
          "With --backend exec: portolan, or kpng for programs written for KPNG's callouts."
              + " Default: portolan.")
  private @Nullable String format;

  @Option(
      names = "--exec-no-answer",
      description = "With --backend exec: don't wait for answers from the program.")
  private boolean silent;

  @Option(
      names = "--exec-timeout",
      paramLabel = "SECONDS",
      description = "With --backend exec: how long a change may take. Default: 30.")
  private @Nullable String timeout;

  /** Refuses options of a program where the backend is not one. */
  void refuseFor(String backend) {
    if (!command.isEmpty()) {
      throw CommandFailure.usage(
          "'" + this + "': a program needs --backend exec, but the backend is " + backend);
    }
    OtherBackend.refuse("--exec-mode", mode != null, "exec", backend);
    OtherBackend.refuse("--exec-format", format != null, "exec", backend);
    OtherBackend.refuse("--exec-no-answer", silent, "exec", backend);
    OtherBackend.refuse("--exec-timeout", timeout != null, "exec", backend);
  }

  /** What the options say; {@code log} receives what the program prints. */
  ExecOptions options(Consumer<String> log) {
    if (command.isEmpty()) {
      throw CommandFailure.usage(
          "--backend exec needs a program: put it last, as in -- python3 my-backend.py");
    }
    String seconds = Objects.requireNonNullElse(timeout, "30");
    if (!SECONDS.matcher(seconds).matches()) {
      throw CommandFailure.usage(
          "--exec-timeout: '" + Text.printable(seconds) + "' must be a number of seconds");
    }
    ExecOptions options =
        ExecOptions.of(command)
            .withTimeout(Duration.ofSeconds(Integer.parseInt(seconds)))
            .withLog(log);
    try {
      options =
          options
              .with(
                  Choice.of(
                      "--exec-mode",
                      Objects.requireNonNullElse(mode, "full"),
                      List.of(ExecOptions.Mode.values())))
              .with(
                  Choice.of(
                      "--exec-format",
                      Objects.requireNonNullElse(format, "portolan"),
                      List.of(ExecOptions.Format.values())));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
    return silent ? options.withoutAnswers() : options;
  }

  /** The program as it was written. */
  @Override
  public String toString() {
    return Text.printable(String.join(" ", command));
  }
}
