package dev.portolan.options;

import dev.portolan.core.error.Failures;
import dev.portolan.telemetry.log.Log;
import dev.portolan.telemetry.log.LogSettings;
import dev.portolan.telemetry.log.Logs;
import dev.portolan.telemetry.log.Streams;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** How a command that keeps running says what it does: to a person, or as the daemon does. */
public final class LogOptions {
  private static final String PLAIN = "plain";
  private static final List<String> FORMATS = List.of(PLAIN, "text", "json");

  @Option(
      names = "--logging-format",
      paramLabel = "FORMAT",
      completionCandidates = Formats.class,
      description =
          "How lines on standard error look: plain, for a person; text or json, with times and"
              + " levels, as those of 'portolan kube-proxy'. Default: plain.")
  private String format = PLAIN;

  @Option(
      names = {"-v", "--v"},
      paramLabel = "LEVEL",
      description = "How much is said; 2 adds the names of what each change touches. Default: 0.")
  private int level;

  /** What shells offer. */
  static final class Formats extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Formats() {
      super(FORMATS);
    }
  }

  /** Says what the command {@code name} does on {@code terminal}. */
  public Remarks remarks(String name, Terminal terminal) {
    if (level < 0) {
      throw CommandFailure.usage("-v: '" + level + "' must be 0 or more");
    }
    Remarks remarks = open(name, terminal);
    Failures.ofProcess()
        .listen((place, failure, unreported) ->
            remarks.warn(Failures.sentence(place, failure, unreported)));
    return remarks;
  }

  private Remarks open(String name, Terminal terminal) {
    String wanted = Choice.of("--logging-format", format, FORMATS);
    if (wanted.equals(PLAIN)) {
      return new Remarks(terminal, level);
    }
    OutputStream lines = new Lines(terminal);
    Log log =
        Logs.open(
                new LogSettings(
                    wanted.equals("json"), level, List.of(), false, "0", Duration.ofSeconds(5)),
                new Streams(lines, lines))
            .of(name);
    return new Remarks(terminal, level, log::info, log::warn);
  }

  /** Passes whole lines on. */
  private static final class Lines extends OutputStream {
    private final Terminal terminal;

    Lines(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public void write(int one) {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      terminal.err().print(new String(bytes, from, length, StandardCharsets.UTF_8));
      terminal.err().flush();
    }
  }
}
