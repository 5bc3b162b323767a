package dev.portolan.cli;

import dev.portolan.terminal.Terminal;

/** Where the process starts and ends. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit status. */
  public static void main(String[] args) {
    System.exit(RootCommand.run(args, Terminal.ofProcess()));
  }
}
