package dev.portolan.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of Portolan. */
@Command(
    name = "portolan",
    description = "A Kubernetes service proxy.",
    mixinStandardHelpOptions = true,
    version = "portolan 0.1.0-SNAPSHOT")
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit status. */
  public static void main(String[] args) {
    CommandLine commandLine = new CommandLine(new Main());
    int status = args.length == 0 ? usage(commandLine) : commandLine.execute(args);
    System.exit(status);
  }

  private static int usage(CommandLine commandLine) {
    commandLine.usage(System.out);
    return CommandLine.ExitCode.OK;
  }
}
