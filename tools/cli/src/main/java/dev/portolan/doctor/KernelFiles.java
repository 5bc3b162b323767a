package dev.portolan.doctor;

import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetworkNamespace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Small files of the kernel, as a network namespace shows them. */
public record KernelFiles(Optional<Path> namespace) {
  private static final int LONGEST = 1 << 26;

  /** The lines of a file; nothing where it is not there or cannot be read. */
  public Optional<List<String>> lines(String file) {
    try {
      return Optional.of(
          namespace.isEmpty()
              ? read(file)
              : new NetworkNamespace(namespace.get()).visit(() -> read(file)));
    } catch (IOException | NetlinkException e) {
      return Optional.empty();
    }
  }

  /** A setting is given whole to the first read, and nothing of it to a second. */
  private static List<String> read(String file) throws IOException {
    try (InputStream stream = Files.newInputStream(Path.of(file))) {
      return new String(stream.readNBytes(LONGEST), StandardCharsets.ISO_8859_1).lines().toList();
    }
  }

  /** The first line of a file. */
  public Optional<String> text(String file) {
    return lines(file).flatMap(lines -> lines.stream().findFirst()).map(String::strip);
  }

  /** The number that a file holds. */
  public OptionalLong number(String file) {
    Optional<String> text = text(file).filter(value -> value.matches("-?[0-9]{1,18}"));
    return text.isPresent() ? OptionalLong.of(Long.parseLong(text.get())) : OptionalLong.empty();
  }

  /** A setting by the name that administrators know it by. */
  public OptionalLong sysctl(String name) {
    return number("/proc/sys/" + name.replace('.', '/'));
  }
}
