package dev.portolan.modes;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The lock on Windows: a file in the folder for the data of services, of which one process at a
 * time has a byte locked. Windows lets go of it when the process ends, however that ends.
 *
 * <p>The text of the file says who has the lock. What is locked on Windows cannot be read by
 * others, so the byte is one far behind the text.
 */
final class WindowsLock {
  private static final long BYTE = Long.MAX_VALUE - 1;
  private static final int SLICE_MILLIS = 100;

  private WindowsLock() {}

  /** As {@link BackendLock#take}. */
  static BackendLock take(BackendLock.Claim claim, boolean wait, Consumer<String> log)
      throws InterruptedException {
    return take(claim, folder().resolve(claim.backend() + ".lock"), wait, log);
  }

  static BackendLock take(BackendLock.Claim claim, Path file, boolean wait, Consumer<String> log)
      throws InterruptedException {
    boolean said = false;
    while (true) {
      Optional<BackendLock> taken = take(claim, file);
      if (taken.isPresent()) {
        return taken.get();
      }
      if (!wait) {
        throw claim.refused(Optional.of(holder(file)));
      }
      if (!said) {
        log.accept(claim.waiting(holder(file)));
        said = true;
      }
      TimeUnit.MILLISECONDS.sleep(SLICE_MILLIS);
    }
  }

  private static Path folder() {
    String data = System.getenv("ProgramData");
    return Path.of(data == null ? "." : data, "portolan");
  }

  private static Optional<BackendLock> take(BackendLock.Claim claim, Path file) {
    try {
      Files.createDirectories(file.getParent());
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isLocked(channel)) {
        channel.close();
        return Optional.empty();
      }
      channel.truncate(0);
      String sign = claim.command() + " (pid " + ProcessHandle.current().pid() + ")";
      channel.write(ByteBuffer.wrap(sign.getBytes(StandardCharsets.UTF_8)), 0);
      return Optional.of(new BackendLock(() -> close(channel)));
    } catch (IOException e) {
      throw new BackendException(
          ErrorCode.HOST,
          claim.backend() + ": the lock " + file + " cannot be taken: " + e.getMessage(),
          e);
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock(BYTE, 1, false) != null;
    } catch (OverlappingFileLockException e) {
      // Another part of this process has it.
      return false;
    }
  }

  private static String holder(Path file) {
    try {
      String sign = Files.readString(file);
      return sign.isEmpty() ? "a process" : sign;
    } catch (IOException e) {
      return "a process";
    }
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // The lock is gone with the process at the latest.
    }
  }
}
