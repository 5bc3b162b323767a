package dev.portolan.cli.options;

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
          "The network namespace to program, as a name in 'ip netns list' or a path. Default: the"
              + " current one.")
  private @Nullable String namespace;

  /** The namespace's file, if one was named; it exists. */
  public Optional<Path> path() {
    if (namespace == null) {
      return Optional.empty();
    }
    Path path = path(namespace);
    if (!Files.exists(path)) {
      throw CommandFailure.missing(
          "--netns: no such network namespace: '"
              + Text.printable(namespace)
              + "' ("
              + Text.printable(path.toString())
              + "); 'ip netns list' lists those with a name");
    }
    return Optional.of(path);
  }

  private static Path path(String namespace) {
    try {
      return namespace.contains("/")
          ? Path.of(namespace)
          : NetworkNamespace.named(namespace).path();
    } catch (InvalidPathException e) {
      throw CommandFailure.usage(
          "--netns: '" + Text.printable(namespace) + "' is not a valid path");
    }
  }

  /** Where the rules are, for a person. */
  @Override
  public String toString() {
    return namespace == null ? "this host" : "network namespace " + Text.printable(namespace);
  }
}
