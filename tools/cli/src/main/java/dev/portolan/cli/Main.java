package dev.portolan.cli;

import dev.portolan.core.error.Failures;
import dev.portolan.terminal.MemoryShortage;
import dev.portolan.terminal.Terminal;
import java.util.Optional;

/** Where the process starts and ends. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit status. */
  public static void main(String[] args) {
    Optional<String> shortage = DescriptorLimit.shortage();
    if (shortage.isPresent()) {
      endFor(shortage.get());
    }
    Terminal terminal = Terminal.ofProcess();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
      if (e instanceof OutOfMemoryError) {
        // Threads that wait for this one would wait forever.
        terminal.remark("portolan: " + MemoryShortage.sentence());
        Runtime.getRuntime().halt(CommandRun.INTERNAL_ERROR);
      }
      // Ours report their failures themselves.
      Failures.ofProcess().add("a thread of a library", e);
    });
    System.exit(run(args, terminal));
  }

  @SuppressWarnings("SystemOut") // The classes of a terminal may be among what cannot be opened.
  private static void endFor(String shortage) {
    System.err.println("portolan: " + shortage);
    System.exit(CommandRun.INTERNAL_ERROR);
  }

  /** Runs one command; returns its exit status. */
  static int run(String[] args, Terminal terminal) {
    try (MemoryTidier _ = MemoryTidier.start()) {
      return CommandRun.run(CalledAs.commandLine(args), terminal);
    }
  }
}
