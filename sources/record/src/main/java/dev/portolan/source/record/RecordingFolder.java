package dev.portolan.source.record;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A folder with the newest part of a recording: files that each begin with the recording process
 * and a whole state, so that the oldest can be deleted when there is too much.
 */
public final class RecordingFolder implements RecordingTarget {
  /** How many parts the size, or the age, is divided into. */
  private static final int PARTS = 8;

  private static final String LOCK = ".lock";

  private final Path folder;
  private final Bounds bounds;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final Instant opened;
  private final long openedNanos;
  private final long run = RecordingWriter.newRun();
  private final List<OlderPart> older = new ArrayList<>();
  private RecordedEvent.@Nullable Started started;
  private RecordedEvent.@Nullable State newest;
  private @Nullable RecordingWriter part;
  private FileChannel lock;
  private Instant partBegan = Instant.EPOCH;
  private long partLimit;

  /**
   * How much is kept.
   *
   * @param bytes of all parts together
   * @param age of the oldest entry; zero means any
   */
  public record Bounds(long bytes, Duration age) {
    /** Below this not even the demo's cluster fits. */
    public static final long FEWEST_BYTES = 64 << 10;

    public Bounds {
      if (bytes < FEWEST_BYTES || age.isNegative()) {
        throw new IllegalArgumentException("a recording needs at least 64Ki, and no negative age");
      }
    }
  }

  /** A part that is not written any more. */
  private record OlderPart(Path path, Instant began, long bytes) {}

  private RecordingFolder(Path folder, Bounds bounds, InstantSource clock, LongSupplier nanos) {
    this.folder = folder;
    this.bounds = bounds;
    this.clock = clock;
    this.nanos = nanos;
    this.opened = clock.instant();
    this.openedNanos = nanos.getAsLong();
    this.lock = lock(folder);
  }

  /** Opens the folder, or makes it; what is in it stays, as far as the bounds allow. */
  public static RecordingFolder open(Path folder, Bounds bounds, InstantSource clock) {
    return open(folder, bounds, clock, System::nanoTime);
  }

  /**
   * The same.
   *
   * @param clock what entries are dated by; it may jump
   * @param nanos what the age of parts is measured by
   */
  static RecordingFolder open(Path folder, Bounds bounds, InstantSource clock, LongSupplier nanos) {
    return new RecordingFolder(folder, bounds, clock, nanos);
  }

  private static FileChannel lock(Path folder) {
    try {
      Files.createDirectories(folder, OwnerOnly.folder());
      FileChannel lock =
          FileChannel.open(folder.resolve(LOCK), Set.of(CREATE, WRITE), OwnerOnly.file());
      try {
        if (lock.tryLock() != null) {
          OwnerOnly.tighten(folder.resolve(LOCK));
          Parts.in(folder).forEach(OwnerOnly::tighten);
          return lock;
        }
      } catch (OverlappingFileLockException e) {
        // This very process has it.
      } catch (IOException e) {
        lock.close();
        throw e;
      }
      lock.close();
      throw RecordingWriter.inUse(folder);
    } catch (IOException e) {
      throw RecordingWriter.unwritable(folder, e);
    }
  }

  /** Makes the folder again where it was removed, which took the lock with it. */
  private void makeSureOfFolder() {
    if (Files.notExists(folder.resolve(LOCK))) {
      FileChannel gone = lock;
      lock = lock(folder);
      try {
        gone.close();
      } catch (IOException e) {
        throw RecordingWriter.unwritable(folder, e);
      }
    }
  }

  /**
   * The time by which parts are named and deleted: that of the clock when the folder was opened,
   * and what has passed since. The clock itself may be set to another year and back.
   */
  private Instant now() {
    return opened.plusNanos(nanos.getAsLong() - openedNanos);
  }

  @Override
  public void write(RecordedEvent event) {
    if (event instanceof RecordedEvent.Started start) {
      started = start;
      endPart();
      openPart();
      return;
    }
    makeSureOfPart(!(event instanceof RecordedEvent.State));
    guarded(() -> {
      writer().write(event);
      if (event instanceof RecordedEvent.State state) {
        newest = state;
        if (partLimit == 0) {
          limitPart();
        }
      }
    });
  }

  @Override
  public void alive(Instant now) {
    if (newest != null) {
      makeSureOfPart(true);
      guarded(() -> writer().alive(now));
      prune(0);
    }
  }

  /** A part that is large or old enough makes place for the next. */
  private void makeSureOfPart(boolean needsState) {
    if (part != null && partLimit > 0 && (part.bytes() >= partLimit || isOld())) {
      endPart();
      openPart();
      writeNewest();
    } else if (part == null) {
      openPart();
      if (needsState) {
        writeNewest();
      }
    }
  }

  private boolean isOld() {
    return bounds.age.isPositive()
        && Duration.between(partBegan, now()).compareTo(bounds.age.dividedBy(PARTS)) > 0;
  }

  private void openPart() {
    RecordedEvent.Started start = started;
    if (start == null) {
      throw new IllegalStateException("a recording begins with who records");
    }
    partBegan = now();
    partLimit = 0;
    guarded(() -> {
      makeSureOfFolder();
      Path path = Parts.next(folder, findOlder(), partBegan);
      prune(0);
      part = RecordingWriter.create(path, run, this::prune);
      // The first part says when the process began, a later one when the part did.
      writer()
          .write(
              newest == null
                  ? start
                  : new RecordedEvent.Started(
                      clock.instant(),
                      start.version(),
                      start.recorder(),
                      start.node(),
                      start.source(),
                      start.configuration()));
    });
  }

  /** The state as it is, since a part has to be readable without those before it. */
  private void writeNewest() {
    RecordedEvent.State state = newest;
    if (state != null) {
      Instant now = clock.instant();
      Instant time = now.isBefore(state.time()) ? state.time() : now;
      guarded(() -> {
        writer()
            .write(
                new RecordedEvent.State(
                    time, state.revision(), false, state.cluster(), state.versions()));
        limitPart();
      });
    }
  }

  /** A part has room for as many changes as its state takes, even if that is more than a share. */
  private void limitPart() {
    long head = writer().bytes();
    if (head > bounds.bytes / 2) {
      throw new RecordingException(
          folder
              + " cannot hold a recording of this cluster: its state alone takes "
              + head
              + " bytes of "
              + bounds.bytes
              + "; give it a larger --record-size");
    }
    partLimit = Math.min(Math.max(bounds.bytes / PARTS, 2 * head), bounds.bytes / 2);
  }

  private RecordingWriter writer() {
    if (part == null) {
      throw new IllegalStateException("no part is open");
    }
    return part;
  }

  /** After a failure the part is left, and the next entry begins another. */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RecordingException e) {
      try {
        endPart();
      } catch (RecordingException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  private void endPart() {
    RecordingWriter writer = part;
    part = null;
    if (writer != null) {
      writer.close();
    }
  }

  /** Deletes parts that are too old, then the oldest until there is room for more bytes. */
  private void prune(long more) {
    Instant oldest = bounds.age.isZero() ? Instant.MIN : now().minus(bounds.age);
    while (!older.isEmpty() && (bytes() + more > bounds.bytes || isOver(oldest))) {
      OlderPart first = older.getFirst();
      delete(first.path);
      older.removeFirst();
    }
    if (bytes() + more > bounds.bytes) {
      throw new RecordingException(
          folder
              + " has no room for the next "
              + more
              + " bytes of a recording; give it a larger --record-size than "
              + bounds.bytes);
    }
  }

  /** Everything in the oldest part happened before the next one began. */
  private boolean isOver(Instant oldest) {
    Instant end = older.size() > 1 ? older.get(1).began : partBegan;
    return end.isBefore(oldest);
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new RecordingException(file + " cannot be deleted: " + FileTrouble.of(e), e);
    }
  }

  /**
   * Looks at what is there, of this process or of one before. A part lasts no longer than its share
   * of the age: what its name is further away from the next was a pause, or a clock that was set,
   * and makes nothing older.
   */
  private List<Path> findOlder() {
    try {
      List<Path> parts = Parts.in(folder);
      older.clear();
      Duration longest = bounds.age.dividedBy(PARTS / 2);
      Instant began = partBegan;
      Instant next = partBegan;
      for (Path file : parts.reversed()) {
        Instant named = Parts.begin(file).orElseThrow();
        Duration lasted = Duration.between(named, next);
        began = began.minus(lasted.compareTo(longest) > 0 ? longest : lasted);
        next = named;
        older.addFirst(new OlderPart(file, began, Files.size(file)));
      }
      return parts;
    } catch (IOException e) {
      throw RecordingWriter.unwritable(folder, e);
    }
  }

  @Override
  public long bytes() {
    long total = part == null ? 0 : part.bytes();
    for (OlderPart file : older) {
      total += file.bytes;
    }
    return total;
  }

  @Override
  public void close() {
    try (FileChannel _ = lock) {
      endPart();
    } catch (IOException e) {
      throw RecordingWriter.unwritable(folder, e);
    }
  }
}
