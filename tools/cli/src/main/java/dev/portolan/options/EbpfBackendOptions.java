package dev.portolan.options;

import dev.portolan.modes.ModeSettings.Sockets;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the backend ebpf works. */
final class EbpfBackendOptions {
  private static final String CGROUP = "--ebpf-cgroup";
  private static final String PINS = "--ebpf-pins";

  @Option(
      names = CGROUP,
      paramLabel = "PATH",
      description =
          "The cgroup whose processes' sockets ebpf translates. Default: all, the root of cgroup2.")
  private @Nullable String cgroup;

  @Option(
      names = PINS,
      paramLabel = "PATH",
      description =
          "The folder in a bpffs where ebpf pins its programs and maps; other backends remove them"
              + " from there. Default: /sys/fs/bpf/portolan.")
  private @Nullable String pins;

  /** What was given; the rest is as in {@code usual}. */
  Sockets or(Sockets usual) {
    return new Sockets(
        Optional.ofNullable(cgroup).map(text -> absolute(CGROUP, text)).or(usual::cgroup),
        Optional.ofNullable(pins).map(text -> absolute(PINS, text)).orElse(usual.pins()));
  }

  private static Path absolute(String option, String text) {
    Path path = Path.of(text);
    if (!path.isAbsolute()) {
      throw CommandFailure.usage(
          option + ": '" + Text.printable(text) + "' must be a path that starts with /");
    }
    return path;
  }

  /** Says that a cgroup means nothing to another backend, where one was given. */
  void refuseFor(String backend) {
    OtherBackend.refuse(CGROUP, cgroup != null, "ebpf", backend);
  }
}
