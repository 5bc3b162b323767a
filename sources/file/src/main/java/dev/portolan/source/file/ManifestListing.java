package dev.portolan.source.file;

import dev.portolan.core.text.Quotes;
import dev.portolan.text.Sentence;
import dev.portolan.text.TextException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which manifest files there are under a path at one moment, and a fingerprint of each.
 *
 * <p>Links are followed. Names that begin with a dot are passed over; Kubernetes puts the real
 * files of a ConfigMap volume under such names, with a link beside them for each. What can be
 * reached in two ways is read once, so links that lead in a circle do no harm.
 *
 * @param path where it was looked
 * @param files in the order in which they are read
 * @param folders the real folders in which a change would show
 * @param warnings whole sentences about what was passed over
 */
record ManifestListing(
    Path path, Map<Path, Fingerprint> files, Set<Path> folders, List<String> warnings) {
  private static final int MOST_ENTRIES = 100_000;

  /** How long a file must not have been written to before it counts as complete. */
  static final Duration SETTLED = Duration.ofMillis(500);

  /** Differs when the content of a file may differ. */
  record Fingerprint(Path real, long size, FileTime modified, @Nullable Object key) {
    /** Whether it is the same file, with whatever content. */
    boolean isSameFile(Fingerprint other) {
      return real.equals(other.real) && Objects.equals(key, other.key);
    }
  }

  /**
   * How long to wait until all files can be taken for complete, where {@code earlier} is what was
   * read last. A file that was written to under its own name may be written to again; one that
   * replaced another, and one that did not change, is complete.
   */
  Duration settlesIn(ManifestListing earlier, Instant now) {
    Duration longest = Duration.ZERO;
    for (Map.Entry<Path, Fingerprint> entry : files.entrySet()) {
      Fingerprint file = entry.getValue();
      Fingerprint before = earlier.files.get(entry.getKey());
      boolean unchanged = file.equals(before);
      boolean replaced = before != null && !file.isSameFile(before);
      Duration age = Duration.between(file.modified.toInstant(), now);
      if (!unchanged && !replaced && !age.isNegative()) {
        Duration left = SETTLED.minus(age);
        longest = left.compareTo(longest) > 0 ? left : longest;
      }
    }
    return longest;
  }

  /** Looks at a file, or into a folder and the folders inside. */
  static ManifestListing of(Path path) {
    Walk walk = new Walk(path);
    try {
      walk.start();
    } catch (NoSuchFileException e) {
      throw new TextException(
          Sentence.of(path.toString(), "no such file or folder; check the path"));
    } catch (IOException | SecurityException e) {
      throw unreadable(path, e);
    }
    return new ManifestListing(path, walk.files, walk.folders, walk.warnings);
  }

  /** What to throw for a file or folder that exists and cannot be read. */
  static TextException unreadable(Path path, Exception e) {
    String reason =
        switch (e) {
          case AccessDeniedException denied -> "permission denied";
          case FileSystemException failed when failed.getReason() != null -> failed.getReason();
          default -> e.getClass().getSimpleName() + " " + e.getMessage();
        };
    return new TextException(
        Sentence.of(
            path.toString(),
            "cannot be read (" + Quotes.brief(reason) + "); check its permissions"));
  }

  private static final class Walk {
    private final Path top;
    private final Map<Path, Fingerprint> files = new LinkedHashMap<>();
    private final Set<Path> folders = new TreeSet<>();
    private final List<String> warnings = new ArrayList<>();
    private final Set<Path> seen = new HashSet<>();
    private int entries;

    private Walk(Path top) {
      this.top = top;
    }

    private void start() throws IOException {
      BasicFileAttributes attributes = Files.readAttributes(top, BasicFileAttributes.class);
      Path parent = top.toAbsolutePath().getParent();
      if (parent != null) {
        folders.add(parent.toRealPath());
      }
      if (attributes.isDirectory()) {
        folder(top, top.toRealPath());
      } else if (attributes.isRegularFile()) {
        file(top, top.toRealPath(), attributes);
      } else {
        // A pipe gives its content once, so it never changes.
        FileTime never = FileTime.fromMillis(0);
        files.put(top, new Fingerprint(top.toAbsolutePath(), -1, never, null));
      }
    }

    private void folder(Path folder, Path real) throws IOException {
      if (!seen.add(real)) {
        return;
      }
      folders.add(real);
      for (Path entry : visible(folder)) {
        try {
          entry(entry, real.resolve(entry.getFileName()));
        } catch (NoSuchFileException | FileSystemLoopException e) {
          // Either it was removed just now, or it is a link.
          if (isManifest(entry) && Files.isSymbolicLink(entry)) {
            warnings.add(Sentence.of(entry.toString(), "is a broken symbolic link; ignored"));
          }
        }
      }
    }

    private List<Path> visible(Path folder) throws IOException {
      List<Path> visible = new ArrayList<>();
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
        for (Path entry : stream) {
          if (++entries > MOST_ENTRIES) {
            throw new TextException(
                Sentence.of(
                    top.toString(),
                    "contains more than " + MOST_ENTRIES + " files; use a smaller folder"));
          }
          if (!entry.getFileName().toString().startsWith(".")) {
            visible.add(entry);
          }
        }
      } catch (DirectoryIteratorException | AccessDeniedException e) {
        throw unreadable(folder, e);
      }
      visible.sort(null);
      return visible;
    }

    private void entry(Path entry, Path unlessLink) throws IOException {
      BasicFileAttributes attributes =
          Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      Path real = unlessLink;
      if (attributes.isSymbolicLink()) {
        attributes = Files.readAttributes(entry, BasicFileAttributes.class);
        real = entry.toRealPath();
      }
      if (attributes.isDirectory()) {
        folder(entry, real);
      } else if (attributes.isRegularFile() && isManifest(entry)) {
        file(entry, real, attributes);
      }
    }

    private void file(Path file, Path real, BasicFileAttributes attributes) {
      if (seen.add(real)) {
        Path parent = real.getParent();
        if (parent != null) {
          folders.add(parent);
        }
        files.put(
            file,
            new Fingerprint(
                real, attributes.size(), attributes.lastModifiedTime(), attributes.fileKey()));
      }
    }

    private static boolean isManifest(Path file) {
      String name = file.getFileName().toString();
      return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
    }
  }
}
