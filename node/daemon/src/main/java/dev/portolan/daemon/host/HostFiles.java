package dev.portolan.daemon.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * The kernel's small files that hold one number each, below a root: {@code /}, or a test's folder.
 */
record HostFiles(Path root) {
  private static final int LONGEST = 4096;

  /** The number in a file, such as {@code proc/sys/net/netfilter/nf_conntrack_max}. */
  long read(String file) throws IOException {
    String text = text(file);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IOException("it holds '" + text + "', which is not a number", e);
    }
  }

  /** A short file's text. The kernel gives it whole to the first read, and nothing to a second. */
  String text(String file) throws IOException {
    try (InputStream stream = Files.newInputStream(root.resolve(file))) {
      return new String(stream.readNBytes(LONGEST), StandardCharsets.US_ASCII).strip();
    }
  }

  /** Writes a number into a file that is there. */
  void write(String file, long value) throws IOException {
    Files.writeString(
        root.resolve(file),
        Long.toString(value),
        StandardOpenOption.WRITE,
        StandardOpenOption.TRUNCATE_EXISTING);
  }

  /** Whether the file is there. */
  boolean exists(String file) {
    return Files.exists(root.resolve(file));
  }

  /** Why a file could not be read or written, in words. */
  static String reason(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "this kernel does not have it";
    }
    if (failure instanceof AccessDeniedException) {
      return "access was denied";
    }
    if (failure instanceof FileSystemException specific && specific.getReason() != null) {
      String words = specific.getReason().toLowerCase(Locale.ROOT);
      return switch (words) {
        case "read-only file system" -> "it is mounted read-only";
        case "operation not permitted", "permission denied" -> "it is not permitted";
        default -> words;
      };
    }
    return String.valueOf(failure.getMessage());
  }
}
