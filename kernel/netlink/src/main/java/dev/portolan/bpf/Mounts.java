package dev.portolan.bpf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Where the file systems are mounted that eBPF needs, as {@code /proc/self/mountinfo} says. */
public record Mounts(List<Mount> all) {
  private static final Path HERE = Path.of("/proc/self/mountinfo");

  /**
   * One mount.
   *
   * @param type such as {@code cgroup2}
   * @param root which folder of the file system it shows; for cgroups as this process's cgroup
   *     namespace counts: {@code /..} is above it
   */
  public record Mount(Path place, String type, Path root) {}

  public Mounts {
    all = List.copyOf(all);
  }

  /** Those that this process sees. */
  public static Mounts read() {
    try {
      return parse(Files.readAllBytes(HERE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file; the names in it are arbitrary bytes, not necessarily text. */
  static Mounts parse(byte[] file) {
    return parse(new String(file, StandardCharsets.UTF_8).lines().toList());
  }

  /** Lines of the file; behind a hyphen the first word is the type. */
  static Mounts parse(List<String> lines) {
    List<Mount> mounts = new ArrayList<>();
    for (String line : lines) {
      List<String> words = List.of(line.split(" ", -1));
      int hyphen = words.indexOf("-");
      if (words.size() > 4 && hyphen > 4 && hyphen + 1 < words.size()) {
        try {
          mounts.add(
              new Mount(
                  Path.of(unescape(words.get(4))),
                  words.get(hyphen + 1),
                  Path.of(unescape(words.get(3)))));
        } catch (InvalidPathException e) {
          // A name that this locale cannot write is not above any path that is asked about.
        }
      }
    }
    return new Mounts(mounts);
  }

  /**
   * The root of the unified cgroups: on a host usually {@code /sys/fs/cgroup}. In a container that
   * is its own cgroup, and the host's, if it is mounted somewhere, is above it.
   */
  public Optional<Path> cgroupRoot() {
    return all.stream()
        .filter(mount -> mount.type().equals("cgroup2"))
        .min(Comparator.comparingInt(Mounts::depth))
        .map(Mount::place);
  }

  /** Whether that root is above the cgroup namespace of this process, as the host's is. */
  public boolean showsCgroupsAbove() {
    return all.stream().anyMatch(mount -> mount.type().equals("cgroup2") && depth(mount) < 0);
  }

  /** How far below the root of this process's cgroup namespace it is; above is negative. */
  private static int depth(Mount mount) {
    int depth = 0;
    for (Path step : mount.root()) {
      depth += step.toString().equals("..") ? -1 : 1;
    }
    return depth;
  }

  /** Whether {@code path} lies in a bpffs; it need not exist. */
  public boolean isBpf(Path path) {
    Path nearest = Path.of("/");
    String type = "";
    for (Mount mount : all) {
      if (path.startsWith(mount.place()) && mount.place().startsWith(nearest)) {
        nearest = mount.place();
        type = mount.type();
      }
    }
    return type.equals("bpf");
  }

  /** Spaces and similar characters are written as three octal digits. */
  private static String unescape(String word) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < word.length(); i++) {
      if (word.charAt(i) == '\\' && i + 3 < word.length()) {
        text.append((char) Integer.parseInt(word.substring(i + 1, i + 4), 8));
        i += 3;
      } else {
        text.append(word.charAt(i));
      }
    }
    return text.toString();
  }
}
