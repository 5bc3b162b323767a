package dev.portolan.testkit.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A folder in which {@code iptables} is one of its kinds, whichever this machine prefers. */
public final class IptablesFolder implements AutoCloseable {
  private final Path folder;

  /** Of the kind {@code nft} or {@code legacy}. */
  public IptablesFolder(String kind) {
    try {
      folder = Files.createTempDirectory("iptables");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    fill(folder, kind);
  }

  /** Makes a folder one that has the programs of a kind. */
  public static void fill(Path folder, String kind) {
    try {
      for (String family : List.of("iptables", "ip6tables")) {
        for (String task : List.of("", "-save", "-restore")) {
          // All are one program, which looks at the name that it was called by.
          Files.createSymbolicLink(
              folder.resolve(family + task), which(family + "-" + kind + task));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path which(String program) {
    return Arrays.stream(System.getenv("PATH").split(":", -1))
        .map(place -> Path.of(place, program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("there is no " + program));
  }

  /** What programs must be started with to find it. */
  public Map<String, String> environment() {
    return Map.of("PATH", folder + ":" + System.getenv("PATH"));
  }

  @Override
  public void close() {
    try (Stream<Path> links = Files.list(folder)) {
      for (Path link : links.toList()) {
        Files.delete(link);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
