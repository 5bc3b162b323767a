package dev.portolan.backend.ebpf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A folder with pins, and the network namespace whose services they serve: a symbolic link beside
 * the pins names it. Otherwise a proxy in a namespace of its own, such as one in a test, would
 * replace or remove those of the host, for all see one bpffs.
 */
record Pins(Path folder, Optional<Path> namespace) {
  private static final String OWNER = "netns";
  private static final Path HERE = Path.of("/proc/thread-self/ns/net");

  static Pins of(EbpfOptions options) {
    return new Pins(options.folder(), options.nftables().namespace());
  }

  /** Whether there are some, of our network namespace or of an unknown one. */
  boolean areOurs() {
    return Files.isDirectory(folder) && owner().filter(other -> !other.equals(own())).isEmpty();
  }

  /** Makes the folder, and says whose it is. */
  void claim() {
    try {
      Files.createDirectories(folder);
      Optional<String> owner = owner();
      if (owner.isEmpty()) {
        Files.createSymbolicLink(folder.resolve(OWNER), Path.of(own()));
      } else if (!owner.get().equals(own())) {
        throw new IllegalStateException(
            folder
                + " has the programs and maps of another network namespace ("
                + owner.get()
                + "); choose another folder in a bpffs with --ebpf-pins");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<String> owner() {
    try {
      return Optional.of(Files.readSymbolicLink(folder.resolve(OWNER)).toString());
    } catch (NoSuchFileException | NotLinkException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As the kernel writes it: {@code net:[4026531840]}. */
  private String own() {
    try {
      return "net:[" + Files.getAttribute(namespace.orElse(HERE), "unix:ino") + "]";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Detaches the programs, and removes them and the maps. */
  void remove() {
    SocketKernel.remove(folder);
    try {
      Files.deleteIfExists(folder.resolve(OWNER));
      if (Files.isDirectory(folder)) {
        try (var rest = Files.list(folder)) {
          if (rest.findAny().isEmpty()) {
            Files.delete(folder);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
