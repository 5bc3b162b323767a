package dev.portolan.backend.windows;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What HNS calls our things where it does not take our identifiers, kept in a file: one line per
 * thing, with our identifier and that of HNS, or {@code -} once it is gone. Where HNS takes ours,
 * there is no file.
 */
final class IdTable {
  private final Path file;
  private final Map<UUID, UUID> theirs = new HashMap<>();
  private final Map<UUID, UUID> ours = new HashMap<>();

  /** Reads the file, where there is one. */
  IdTable(Path file) {
    this.file = file;
    try {
      for (String line : Files.readAllLines(file)) {
        int space = line.indexOf(' ');
        if (space > 0) {
          read(line.substring(0, space), line.substring(space + 1));
        }
      }
    } catch (NoSuchFileException e) {
      // As it is where HNS takes our identifiers.
    } catch (IOException e) {
      throw failure("read", e);
    }
  }

  /** Whether HNS chose identifiers before. */
  boolean isUsed() {
    return !theirs.isEmpty();
  }

  /** What HNS calls our thing. */
  UUID theirs(UUID id) {
    return theirs.getOrDefault(id, id);
  }

  /** Our identifier of an object of HNS; empty if the object is not ours. */
  Optional<UUID> ours(UUID id) {
    UUID known = ours.get(id);
    return known != null
        ? Optional.of(known)
        : OwnIds.isOwn(id) ? Optional.of(id) : Optional.empty();
  }

  /** Remembers what HNS calls our thing. */
  void put(UUID id, UUID hns) {
    forget(id);
    if (!id.equals(hns)) {
      theirs.put(id, hns);
      ours.put(hns, id);
      append(id, hns.toString());
    }
  }

  /** Forgets an object that is gone. */
  void forget(UUID id) {
    UUID hns = theirs.remove(id);
    if (hns != null) {
      ours.remove(hns);
      append(id, "-");
    }
  }

  /** Forgets all but those that HNS has; the file is written again without them. */
  void retain(Set<UUID> there) {
    if (theirs.values().stream().allMatch(there::contains)) {
      return;
    }
    theirs.values().retainAll(there);
    ours.keySet().retainAll(there);
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw failure("write", e);
    }
    theirs.forEach((id, hns) -> append(id, hns.toString()));
  }

  private void read(String id, String hns) {
    UUID key = UUID.fromString(id);
    UUID before = theirs.remove(key);
    if (before != null) {
      ours.remove(before);
    }
    if (!hns.equals("-")) {
      theirs.put(key, UUID.fromString(hns));
      ours.put(UUID.fromString(hns), key);
    }
  }

  private void append(UUID id, String hns) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Files.writeString(
          file,
          id + " " + hns + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw failure("write", e);
    }
  }

  private BackendException failure(String what, IOException cause) {
    return new BackendException(
        ErrorCode.HOST,
        "cannot "
            + what
            + " "
            + file
            + ", which keeps the identifiers that HNS chose: "
            + cause.getMessage()
            + "; make it writable",
        cause);
  }
}
