package dev.portolan.apiserver;

import dev.portolan.tls.SmallFile;
import dev.portolan.tls.TlsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are needed to reach a server: written down once, or in a file that may change.
 *
 * <p>A file is read again when it looks different, and at least every minute. One that was read
 * once and cannot be read now is taken as it was: it may be being replaced.
 */
final class Material {
  private static final long STALE = Duration.ofMinutes(1).toNanos();

  private final @Nullable Path file;
  private byte @Nullable [] content;
  private SmallFile.@Nullable Stamp stamp;
  private long readAt;

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
    SmallFile.Stamp now = SmallFile.stamp(path);
    if (last != null && !again && now.equals(stamp) && System.nanoTime() - readAt < STALE) {
      return last;
    }
    try {
      byte[] fresh = SmallFile.read(path);
      content = fresh;
      stamp = now;
      readAt = System.nanoTime();
      return fresh;
    } catch (TlsException e) {
      if (last != null) {
        return last;
      }
      throw new ApiException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The name of the file, if it is one. */
  String describe() {
    return file == null ? "the data" : file.toString();
  }
}
