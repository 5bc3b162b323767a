package dev.portolan.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;

/** Runs command lines whose output nobody reads. */
public final class CommandRunner {
  private CommandRunner() {}

  /** Runs a command line; returns the exit status. */
  public static int run(List<String> line) {
    Terminal.ofProcess();
    Terminal nowhere =
        Terminal.plain(
            new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter(), true));
    return Portolan.run(line.toArray(String[]::new), nowhere);
  }
}
