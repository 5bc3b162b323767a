package dev.portolan.bench.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A folder in which {@code iptables} is iptables-legacy: with iptables-nft kube-proxy, which writes
 * everything in one commit, does not finish ten thousand services in ten minutes.
 */
public final class LegacyIptables implements AutoCloseable {
  private final Path folder;

  public LegacyIptables() {
    try {
      folder = Files.createTempDirectory("iptables");
      for (String family : List.of("iptables", "ip6tables")) {
        for (String task : List.of("", "-save", "-restore")) {
          Files.createSymbolicLink(folder.resolve(family + task), which(family + "-legacy" + task));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path which(String program) {
    return Path.of(BenchNamespace.run(List.of("which", program), "").strip());
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
