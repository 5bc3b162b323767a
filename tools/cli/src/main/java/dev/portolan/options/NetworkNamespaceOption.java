package dev.portolan.options;

import dev.portolan.config.gates.Platform;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whose kernel rules are meant: this host's, or those of another network namespace. */
public final class NetworkNamespaceOption {
  @Option(
      names = "--netns",
      paramLabel = "NAME|PATH",
      description =
          "The network namespace that is meant, as a name in 'ip netns list' or a path; needs"
              + " CAP_SYS_ADMIN. Default: the current one.")
  private @Nullable String namespace;

  /** The namespace's file, if one was named; it is one that this process can enter. */
  public Optional<Path> path() {
    if (namespace == null) {
      return Optional.empty();
    }
    if (Platform.current() == Platform.WINDOWS) {
      throw CommandFailure.usage("--netns: Windows has no network namespaces; leave it out");
    }
    String name = Text.printable(namespace);
    Path path = path(namespace, name);
    if (!Files.exists(path)) {
      throw CommandFailure.input(
          ErrorCode.NOT_FOUND,
          "--netns: no such network namespace: '"
              + name
              + "' ("
              + Text.printable(path.toString())
              + "); 'ip netns list' lists those with a name");
    }
    Visited.check(path, name);
    return Optional.of(path);
  }

  private static Path path(String namespace, String name) {
    try {
      if (!namespace.isEmpty()) {
        return namespace.contains("/")
            ? Path.of(namespace)
            : NetworkNamespace.named(namespace).path();
      }
    } catch (InvalidPathException e) {
      // Reported below.
    }
    throw CommandFailure.usage(
        "--netns: '" + name + "' must be a name in 'ip netns list', or a path");
  }

  /** Apart, because Windows has no netlink, and loads nothing of it. */
  private static final class Visited {
    /** Makes sure that {@code path} is a network namespace, and one that this process can enter. */
    static void check(Path path, String name) {
      try {
        boolean _ = new NetworkNamespace(path).visit(() -> true);
      } catch (NetlinkException e) {
        if (e.errno() == Errno.EPERM || e.errno() == Errno.EACCES) {
          throw CommandFailure.refused(ErrorCode.PRIVILEGES, "--netns: " + e.getMessage());
        }
        throw CommandFailure.input(
            ErrorCode.NOT_FOUND,
            "--netns: '" + name + "' is not a network namespace: " + e.getMessage());
      }
    }
  }

  /** Where the rules are, for a person. */
  @Override
  public String toString() {
    return namespace == null ? "this host" : "network namespace " + Text.printable(namespace);
  }
}
