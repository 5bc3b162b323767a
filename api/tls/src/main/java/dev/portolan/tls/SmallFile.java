package dev.portolan.tls;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Files that hold keys, certificates and tokens: small, and replaced while they are in use. */
public final class SmallFile {
  private static final long LARGEST = 1 << 20;

  private SmallFile() {}

  /** What can be seen of a file without reading it; no file has a stamp of its own. */
  public record Stamp(@Nullable Object modified, long size, @Nullable Object key) {}

  /** The stamp of {@code file}: another one, where its content is another. */
  public static Stamp stamp(Path file) {
    try {
      BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(seen.lastModifiedTime(), seen.size(), seen.fileKey());
    } catch (IOException e) {
      return new Stamp(null, -1, null);
    }
  }

  /** The content of {@code file}, which must not be large. */
  public static byte[] read(Path file) throws TlsException {
    try {
      if (Files.isDirectory(file)) {
        throw new IOException("it is a folder");
      }
      if (Files.size(file) > LARGEST) {
        throw new IOException("it is larger than 1 MB");
      }
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new TlsException(file + ": no such file", e);
    } catch (AccessDeniedException e) {
      throw new TlsException(file + ": permission denied", e);
    } catch (IOException e) {
      throw new TlsException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }
}
