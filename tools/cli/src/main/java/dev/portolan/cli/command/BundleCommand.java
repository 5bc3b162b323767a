package dev.portolan.cli.command;

import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.doctor.bundle.Bundle;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.WrittenFile;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes an archive for a support case. */
@Command(
    name = "bundle",
    header = "Write an archive about this node for a support case, without secrets.",
    customSynopsis = "portolan bundle -o FILE [--config FILE] [--kubeconfig FILE]",
    sortOptions = false,
    footerHeading =
        "%nPrints what it wrote and what it left out. Tokens, keys, passwords and the%nlike are"
            + " never in it; look through it all the same before you share it.%n%nExamples:%n",
    footer = {
      "  portolan bundle -o node-1.zip",
      "  portolan bundle -o node-1.zip --config /var/lib/kube-proxy/config.conf"
    })
public final class BundleCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The zip archive to write; it must not exist yet.")
  private String file = "";

  @Mixin private final SubjectOptions subject = new SubjectOptions();

  /** Prints to {@code terminal}. */
  public BundleCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Bundle bundle;
    try (Waiting _ = Waiting.busy(() -> "looking at this node", new Remarks(terminal))) {
      bundle =
          Bundle.of(
              subject.subject(terminal),
              VersionCommand.lines(FeatureGates.defaults(KubeVersion.CURRENT)));
    }
    WrittenFile.createPrivate("--output", file, bundle.archive());
    terminal.print("wrote " + Text.printable(file) + ":");
    bundle.files().forEach(name -> terminal.print("  " + name));
    terminal.print("left out:");
    for (String what : bundle.leftOut()) {
      Text.wrap(Text.printable(what), terminal.width() - 4)
          .forEach(line -> terminal.print("  " + line));
    }
    return 0;
  }
}
