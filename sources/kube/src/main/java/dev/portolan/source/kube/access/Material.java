package dev.portolan.source.kube.access;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are needed to reach a server: written down once, or in a file that may change.
 *
 * <p>A file is read again when it looks different, and at least every minute. One that was read
 * once and cannot be read now is taken as it was: somebody may be replacing it.
 */
final class Material {
  private static final long LARGEST = 1 << 20;
  private static final long STALE = Duration.ofMinutes(1).toNanos();

  private final @Nullable Path file;
  private byte @Nullable [] content;
  private @Nullable Looks looks;
  private long readAt;

  /** What can be seen of a file without reading it. */
  private record Looks(Object modified, long size, @Nullable Object key) {}

  private Material(@Nullable Path file, byte @Nullable [] content) {
    this.file = file;
    this.content = content;
  }

  /** These bytes. */
  static Material of(byte[] content) {
    return new Material(null, content);
  }

  /** What is in {@code file}, now and later. */
  static Material in(Path file) {
    return new Material(file, null);
  }

  /** The bytes as they are now. */
  byte[] content() throws ApiException {
    return content(false);
  }

  /** The bytes, read again even if the file looks the same. */
  byte[] reread() throws ApiException {
    return content(true);
  }

  private synchronized byte[] content(boolean again) throws ApiException {
    byte[] last = content;
    Path path = file;
    if (path == null) {
      return Objects.requireNonNull(last);
    }
    try {
      BasicFileAttributes seen = Files.readAttributes(path, BasicFileAttributes.class);
      Looks now = new Looks(seen.lastModifiedTime(), seen.size(), seen.fileKey());
      if (last != null && !again && now.equals(looks) && System.nanoTime() - readAt < STALE) {
        return last;
      }
      byte[] fresh = read(path, seen);
      content = fresh;
      looks = now;
      readAt = System.nanoTime();
      return fresh;
    } catch (IOException e) {
      if (last != null) {
        return last;
      }
      throw new ApiException(unreadable(path, e), e);
    }
  }

  private static byte[] read(Path path, BasicFileAttributes seen) throws IOException {
    if (seen.isDirectory()) {
      throw new IOException("it is a folder");
    }
    if (seen.size() > LARGEST) {
      throw new IOException("it is larger than 1 MB");
    }
    return Files.readAllBytes(path);
  }

  private static String unreadable(Path path, IOException e) {
    return path
        + ": "
        + switch (e) {
          case NoSuchFileException gone -> "there is no such file";
          case AccessDeniedException denied -> "this user may not read it";
          default -> "cannot be read: " + e.getMessage();
        };
  }

  /** The name of the file, if it is one. */
  String describe() {
    return file == null ? "the data" : file.toString();
  }
}
