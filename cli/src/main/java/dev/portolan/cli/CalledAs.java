package dev.portolan.cli;

import dev.portolan.cli.command.KubeProxyCommand;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The command line of a program that the kernel starts from a script whose first line names {@code
 * java}: the first argument is then the path of that script. A script called {@code kube-proxy} is
 * the command of that name, so that it can stand in the place of kube-proxy's own program.
 */
final class CalledAs {
  /** The system property that says that the first argument is the path of a script. */
  static final String SCRIPT = "portolan.script";

  private CalledAs() {}

  /** The words after {@code portolan}. */
  static String[] commandLine(String[] args) {
    if (!Boolean.getBoolean(SCRIPT) || args.length == 0) {
      return args;
    }
    Stream<String> given = Arrays.stream(args).skip(1);
    boolean daemon = Path.of(args[0]).endsWith(KubeProxyCommand.NAME);
    return (daemon ? Stream.concat(Stream.of(KubeProxyCommand.NAME), given) : given)
        .toArray(String[]::new);
  }
}
