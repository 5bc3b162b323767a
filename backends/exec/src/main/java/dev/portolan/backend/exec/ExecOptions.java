package dev.portolan.backend.exec;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Which program is run, and its protocol.
 *
 * @param command the program and its arguments; no shell reads them
 * @param answers whether the program says when a change is applied; one that does not is taken to
 *     be done when it has been sent the last line. Without meaning for {@link Mode#CALL}
 * @param timeout how long the program may take for a change, from the first line to its answer
 * @param grace how long to wait for its end after its input was closed, and again after SIGTERM;
 *     and how long to wait before a program that was stopped by a signal from elsewhere is started
 *     again
 * @param log gets what the program prints beside its answers, one line at a time
 * @param namespace the network namespace that the program runs in, if not this process's own
 */
public record ExecOptions(
    List<String> command,
    Mode mode,
    Format format,
    boolean answers,
    Duration timeout,
    Duration grace,
    Consumer<String> log,
    Optional<Path> namespace) {
  /** What the program gets with a change. */
  public enum Mode {
    /** The whole state, each time. */
    FULL,
    /** What is different; the whole state at first, and whenever the program may have lost it. */
    INCREMENTAL,
    /** The whole state, to a program that is started for each change and ends when it is done. */
    CALL;

    /** The mode in small letters, as options and the environment have it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How a service is written. */
  public enum Format {
    /** As {@code portolan show -o json} has it. */
    PORTOLAN,
    /** As KPNG's pipe-exec has it: {@code {"Service":…,"Endpoints":[…]}}. */
    KPNG;

    /** The format in small letters, as options have it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public ExecOptions {
    command = List.copyOf(command);
    Objects.requireNonNull(log);
    if (command.isEmpty()) {
      throw new IllegalArgumentException(
          "exec: no program given; specify a program and its arguments");
    }
    if (format == Format.KPNG && mode == Mode.INCREMENTAL) {
      throw new IllegalArgumentException(
          "exec: the format kpng cannot express that a service is gone, so it does not support mode"
              + " incremental; use mode full or call, or the format portolan");
    }
  }

  /** The whole state each time, with 30 s for an answer; the program's words are thrown away. */
  public static ExecOptions of(List<String> command) {
    return new ExecOptions(
        command,
        Mode.FULL,
        Format.PORTOLAN,
        true,
        Duration.ofSeconds(30),
        Duration.ofSeconds(2),
        line -> {},
        Optional.empty());
  }

  /** The same in another mode. */
  public ExecOptions with(Mode mode) {
    return new ExecOptions(command, mode, format, answers, timeout, grace, log, namespace);
  }

  /** The same in another format. */
  public ExecOptions with(Format format) {
    return new ExecOptions(command, mode, format, answers, timeout, grace, log, namespace);
  }

  /** The same for a program that never answers. */
  public ExecOptions withoutAnswers() {
    return new ExecOptions(command, mode, format, false, timeout, grace, log, namespace);
  }

  /** The same with another timeout for an answer. */
  public ExecOptions withTimeout(Duration timeout) {
    return new ExecOptions(command, mode, format, answers, timeout, grace, log, namespace);
  }

  /** The same with another time to end in. */
  public ExecOptions withGrace(Duration grace) {
    return new ExecOptions(command, mode, format, answers, timeout, grace, log, namespace);
  }

  /** The same, passing what the program prints to {@code log}. */
  public ExecOptions withLog(Consumer<String> log) {
    return new ExecOptions(command, mode, format, answers, timeout, grace, log, namespace);
  }

  /** The same in a network namespace. */
  public ExecOptions in(Optional<Path> place) {
    return new ExecOptions(command, mode, format, answers, timeout, grace, log, place);
  }
}
