package dev.portolan.doctor;

import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetworkNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Small files of the kernel, as a network namespace shows them. */
public record KernelFiles(Optional<Path> namespace) {
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

  private static List<String> read(String file) throws IOException {
    return new String(Files.readAllBytes(Path.of(file)), StandardCharsets.ISO_8859_1)
        .lines()
        .toList();
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
