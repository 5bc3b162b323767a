package dev.portolan.cli;

import dev.portolan.cli.command.BrainCommand;
import dev.portolan.cli.command.KubeProxyCommand;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The command line of a program that the kernel starts from a script whose first line names {@code
 * java}: the first argument is then the path of that script. A script called {@code kube-proxy} is
 * the command of that name, so that it can replace kube-proxy's own program; one called {@code
 * portolan-brain} is the command {@code brain}, whose JVM has options of its own.
 */
final class CalledAs {
  /** The system property that says that the first argument is the path of a script. */
  static final String SCRIPT = "portolan.script";

  private static final Map<String, String> COMMANDS =
      Map.of(
          KubeProxyCommand.NAME,
          KubeProxyCommand.NAME,
          "portolan-" + BrainCommand.NAME,
          BrainCommand.NAME);

  private CalledAs() {}

  /** The words after {@code portolan}. */
  static String[] commandLine(String[] args) {
    if (!Boolean.getBoolean(SCRIPT) || args.length == 0) {
      return args;
    }
    Stream<String> given = Arrays.stream(args).skip(1);
    String command = COMMANDS.get(String.valueOf(Path.of(args[0]).getFileName()));
    return (command == null ? given : Stream.concat(Stream.of(command), given))
        .toArray(String[]::new);
  }
}
