package dev.portolan.terminal;

import dev.portolan.core.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Writes files atomically. */
public final class WrittenFile {
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private WrittenFile() {}

  /** Writes {@code text} to {@code file}, in place of what may be there. */
  public static void replace(String file, String text) {
    try {
      Path path = Path.of(file);
      if (Files.exists(path) && !Files.isRegularFile(path)) {
        Files.writeString(path, text, StandardOpenOption.WRITE);
      } else {
        swap(Files.exists(path) ? path.toRealPath() : path.toAbsolutePath(), text);
      }
    } catch (NoSuchFileException e) {
      throw unwritable(file, "no such folder; create it first");
    } catch (AccessDeniedException e) {
      throw unwritable(file, "permission denied; check the permissions of the folder");
    } catch (IOException | InvalidPathException e) {
      throw unwritable(file, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Writes {@code text} to {@code file}, which must not be there yet; a failure leaves nothing
   * behind.
   *
   * @param option names the file in messages
   */
  public static void create(String option, String file, String text) {
    create(option, file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The same for bytes that only their owner may read. */
  public static void createPrivate(String option, String file, byte[] content) {
    create(option, file, content, OWNER_ONLY);
  }

  private static void create(
      String option, String file, byte[] content, FileAttribute<?>... attributes) {
    String why;
    try {
      Path path = Path.of(file).toAbsolutePath();
      Path draft = draft(path);
      try {
        Files.createFile(draft, attributes);
        Files.write(draft, content);
        Files.createLink(path, draft); // Unlike a move, this never replaces a file.
      } finally {
        Files.deleteIfExists(draft);
      }
      return;
    } catch (FileAlreadyExistsException e) {
      why = "already exists and is not overwritten; choose another file, or remove it";
    } catch (NoSuchFileException e) {
      why = "cannot be written, because the folder does not exist; create it first";
    } catch (InvalidPathException e) {
      why = "is not a valid path; choose a file that does not exist";
    } catch (IOException e) {
      why = "cannot be written (" + e.getMessage() + ")";
    }
    throw CommandFailure.input(ErrorCode.OUTPUT, Text.printable(option + ": " + file + ": " + why));
  }

  private static Path draft(Path path) {
    return path.resolveSibling("." + path.getFileName() + "." + ProcessHandle.current().pid());
  }

  private static void swap(Path path, String text) throws IOException {
    Path draft = draft(path);
    try {
      Files.writeString(draft, text);
      Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static CommandFailure unwritable(String file, String why) {
    return CommandFailure.refused(
        ErrorCode.OUTPUT, Text.printable(file + " cannot be written: " + why));
  }
}
