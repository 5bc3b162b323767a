package dev.portolan.doctor;

import dev.portolan.mode.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Whether the folders that a daemon writes to can be written, and have room. */
record FolderChecks(Subject subject, Mode mode) {
  private static final long LEAST_ROOM = 1 << 20;

  List<CheckResult> run() {
    List<CheckResult> results = new ArrayList<>();
    results.add(folder("disk.socket", parent(subject.socket().toAbsolutePath())));
    mode.hostLock().ifPresent(lock -> results.add(lock(lock)));
    return results;
  }

  private static CheckResult lock(Path lock) {
    return Files.exists(lock) && !Files.isWritable(lock)
        ? CheckResult.fail(
            "disk.lock",
            lock + " cannot be written, and iptables-legacy needs it",
            "mount it from the host (hostPath, type FileOrCreate)")
        : folder("disk.lock", parent(lock));
  }

  private static Path parent(Path file) {
    return Objects.requireNonNullElse(file.getParent(), file);
  }

  private static CheckResult folder(String id, Path wanted) {
    Path there = wanted;
    while (!Files.isDirectory(there) && !parent(there).equals(there)) {
      there = parent(there);
    }
    Optional<Long> room = room(there);
    if (!Files.isWritable(there)) {
      return CheckResult.warn(
          id,
          there + " cannot be written, so nothing can be created in " + wanted,
          "run as root, or mount " + wanted + " writable");
    }
    if (room.isPresent() && room.get() < LEAST_ROOM) {
      return CheckResult.fail(
          id, there + " is full: " + room.get() / 1024 + " KiB left", "free some space there");
    }
    return CheckResult.ok(id, wanted + " can be written");
  }

  private static Optional<Long> room(Path folder) {
    try {
      return Optional.of(Files.getFileStore(folder).getUsableSpace());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
