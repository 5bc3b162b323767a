package dev.portolan.cli;

import dev.portolan.cli.command.KubeProxyCommand;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.terminal.MemoryShortage;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.util.List;
import java.util.Optional;

/**
 * One command line from its words to an exit status, whatever goes wrong.
 *
 * <p>A daemon on every node should not hold what only other commands need. So {@link RootCommand},
 * with all that reads their options, is not even loaded for it.
 */
public final class CommandRun {
  /** The exit status after a bug, or where there is not enough memory, or too few descriptors. */
  static final int INTERNAL_ERROR = 70;

  private static final int CANNOT_WRITE = 74;

  private CommandRun() {}

  /** Runs a command line; returns the exit status. */
  public static int run(String[] args, Terminal terminal) {
    int status;
    try {
      status = execute(args, terminal);
    } catch (OutOfMemoryError e) {
      terminal.remark("portolan: " + MemoryShortage.sentence());
      status = INTERNAL_ERROR;
    } catch (RuntimeException | StackOverflowError e) {
      status = internalError(e, terminal);
    }
    Optional<String> problem = terminal.finish();
    if (problem.isPresent()) {
      terminal.remark(
          "portolan: " + ErrorCode.OUTPUT.mark("cannot write the output: " + problem.get()));
      return CANNOT_WRITE;
    }
    return status;
  }

  /** The same, but unexpected failures pass through. */
  static int execute(String[] args, Terminal terminal) {
    return args.length > 0 && args[0].equals(KubeProxyCommand.NAME)
        ? new KubeProxyCommand(terminal).run(List.of(args).subList(1, args.length))
        : RootCommand.execute(args, terminal);
  }

  /** Says that there is a bug; returns the exit status. */
  static int internalError(Throwable e, Terminal terminal) {
    terminal.remark(
        "portolan: " + ErrorCode.INTERNAL.mark("internal error: " + Text.printable(e.toString())));
    if (System.getenv("PORTOLAN_DEBUG") == null) {
      terminal.remark("Set PORTOLAN_DEBUG=1 to see the stack trace.");
    } else {
      e.printStackTrace(terminal.err());
    }
    return INTERNAL_ERROR;
  }
}
