package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.lab.Command;
import dev.portolan.sessions.Shell;
import dev.portolan.terminal.Terminal;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The manual pages say what the help says. */
@NeedsKernel(tools = "mandoc")
final class ManPagesTest {
  @TempDir private static Path folder;

  @BeforeAll
  static void write() {
    assertThat(Shell.run("man-pages", "--date", "2026-01-01", folder.toString()))
        .isEqualTo(new Shell.Result(0, "", ""));
  }

  @Test
  void mandocFindsNothingWrong() throws IOException {
    try (Stream<Path> pages = Files.list(folder)) {
      for (Path page : pages.toList()) {
        assertThat(Command.run("mandoc", "-T", "lint", "-W", "style", page.toString())).isEmpty();
      }
    }
  }

  @Test
  void everyCommandAndOptionHasItsPlace() throws IOException {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    CommandSpec root = RootCommand.commandLine(Terminal.plain(nowhere, nowhere)).getCommandSpec();
    check(root, "portolan");
    assertThat(folder.resolve("portolan-watch.1")).doesNotExist();
    assertThat(folder.resolve("kubectl-portolan.1")).content().contains("kubectl portolan");
    assertThat(folder.resolve("portolan-kube-proxy.1")).content().contains("\\-\\-config text");
  }

  private static void check(CommandSpec command, String name) throws IOException {
    String page = text(name);
    assertThat(page).contains("NAME", "SYNOPSIS", "SEE ALSO");
    for (OptionSpec option : command.options()) {
      // The flags of kube-proxy are not picocli's.
      if (!option.hidden() && !command.name().equals("kube-proxy")) {
        assertThat(page).as(name).contains(List.of(option.names()));
      }
    }
    for (CommandLine below : command.subcommands().values()) {
      CommandSpec spec = below.getCommandSpec();
      if (!spec.usageMessage().hidden()) {
        check(spec, name + "-" + spec.name());
      }
    }
  }

  private static String text(String name) {
    return Command.run("mandoc", "-T", "ascii", folder.resolve(name + ".1").toString())
        .replaceAll(".\b", "");
  }
}
