package dev.portolan.config.file;

import dev.portolan.config.finding.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Gets the text of a configuration; what goes wrong is a {@link ConfigException}. */
public final class ConfigText {
  /** No ConfigMap can hold more, and an endless file should end here. */
  private static final int LONGEST = 1 << 20;

  private static final String STANDARD_INPUT = "-";

  /** What the kubelet puts into each folder that it mounts a ConfigMap at. */
  private static final String MOUNTED = "..data";

  private static final int MOST_NAMED = 10;

  private ConfigText() {}

  /** What messages call {@code file}. */
  public static String name(String file) {
    return isFile(file) ? file : "standard input";
  }

  /** Whether {@code file} can be read more than once. */
  public static boolean isFile(String file) {
    return !file.equals(STANDARD_INPUT);
  }

  /** All that is in the file; {@code -} is standard input. */
  public static String read(String file) {
    if (!isFile(file)) {
      return read(name(file), System.in);
    }
    checkNoFolder(file);
    try (InputStream stream = Files.newInputStream(Path.of(file))) {
      return read(file, stream);
    } catch (NoSuchFileException e) {
      throw unreadable(file, "no such file" + around(Path.of(file).toAbsolutePath()));
    } catch (AccessDeniedException e) {
      throw unreadable(file, "cannot be read (permission denied); check its permissions");
    } catch (IOException e) {
      throw unreadable(file, "cannot be read (" + e.getMessage() + ")");
    }
  }

  /** In place of a key that a ConfigMap does not have, the kubelet may mount an empty folder. */
  private static void checkNoFolder(String file) {
    try {
      if (Files.isDirectory(Path.of(file))) {
        throw unreadable(file, "is a folder" + files(Path.of(file)) + "; name a file in it");
      }
    } catch (InvalidPathException e) {
      throw unreadable(file, "no such file");
    }
  }

  /** What is there in place of a file that is not; a ConfigMap is mostly not mounted as thought. */
  private static String around(Path file) {
    Path folder = file.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      return "; its folder does not exist: if it is to be a ConfigMap, mount it there";
    }
    return Files.exists(folder.resolve(MOUNTED))
        ? "; its folder is mounted" + files(folder) + "; each key of a ConfigMap is a file"
        : "";
  }

  private static String files(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      List<String> names =
          all.map(path -> path.getFileName().toString())
              .filter(name -> !name.startsWith(".."))
              .sorted()
              .limit(MOST_NAMED)
              .toList();
      return names.isEmpty() ? " and empty" : " and has " + String.join(", ", names);
    } catch (IOException e) {
      return "";
    }
  }

  /** All that comes out of {@code stream}, which messages call {@code name}. */
  static String read(String name, InputStream stream) {
    try {
      byte[] bytes = stream.readNBytes(LONGEST + 1);
      if (bytes.length > LONGEST) {
        throw unreadable(name, "is larger than 1 MiB, so it is not a valid configuration");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw unreadable(name, "is not UTF-8; save it as UTF-8");
    } catch (IOException e) {
      throw unreadable(name, "cannot be read (" + e.getMessage() + ")");
    }
  }

  private static ConfigException unreadable(String name, String why) {
    return ConfigException.in(name, null, "", why);
  }
}
