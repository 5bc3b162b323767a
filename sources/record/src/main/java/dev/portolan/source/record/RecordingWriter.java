package dev.portolan.source.record;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongConsumer;

/** One file of a recording, written entry by entry; what was written is there if it is killed. */
public final class RecordingWriter implements RecordingTarget {
  private final Path path;
  private final FrameWriter frames;
  private final EntryWriter entries;

  private RecordingWriter(Path path, FrameWriter frames, EntryWriter entries) {
    this.path = path;
    this.frames = frames;
    this.entries = entries;
  }

  /** Begins a new file. */
  public static RecordingWriter create(Path path) {
    return create(path, newRun(), length -> {});
  }

  /**
   * The same for a part of a run.
   *
   * @param room called with the number of bytes that come next, before they are written
   */
  static RecordingWriter create(Path path, long run, LongConsumer room) {
    try {
      FileChannel file = FileChannel.open(path, Set.of(CREATE_NEW, READ, WRITE), OwnerOnly.file());
      return open(path, file, 0, run, room);
    } catch (FileAlreadyExistsException e) {
      throw new RecordingException(
          path + " exists; use another name, or --append to go on with it", e);
    } catch (IOException e) {
      throw unwritable(path, e);
    }
  }

  /**
   * Goes on with a file, or begins it. The end of an entry that was cut off is removed; a file that
   * is damaged in another way, or no recording, is left alone.
   */
  public static RecordingWriter append(Path path) {
    try {
      long size = Files.exists(path) ? Files.size(path) : 0;
      // Before the file is opened to write: closing what read it would give up the lock.
      long end = good(path, size);
      FileChannel file = FileChannel.open(path, Set.of(CREATE, READ, WRITE), OwnerOnly.file());
      if (file.size() != size) {
        file.close();
        throw inUse(path);
      }
      OwnerOnly.tighten(path);
      return open(path, file, end, newRun(), length -> {});
    } catch (IOException e) {
      throw unwritable(path, e);
    }
  }

  /** A number for what one process writes. */
  static long newRun() {
    return ThreadLocalRandom.current().nextLong();
  }

  private static RecordingWriter open(
      Path path, FileChannel file, long end, long run, LongConsumer room) throws IOException {
    try {
      if (file.tryLock() == null) {
        throw inUse(path);
      }
      return new RecordingWriter(path, new FrameWriter(file, end, room), new EntryWriter(run));
    } catch (OverlappingFileLockException e) {
      file.close();
      throw inUse(path);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  static RecordingException inUse(Path path) {
    return new RecordingException(
        path + " is in use: another process records into it; end that one, or use another path");
  }

  static RecordingException unwritable(Path path, IOException cause) {
    return new RecordingException(path + " cannot be written: " + FileTrouble.of(cause), cause);
  }

  /** How many bytes of a file are good. */
  private static long good(Path path, long size) throws IOException {
    if (size == 0 || (size < Frames.FILE_HEADER && isCutHeader(Files.readAllBytes(path)))) {
      return 0;
    }
    try (FrameReader reader = FrameReader.open(path)) {
      while (reader.next() != null) {
        // Only its length matters.
      }
      if (reader.fault() == FrameReader.Fault.CHANGED) {
        throw new RecordingException(
            path + " is damaged, and cannot be appended to; record into another file");
      }
      return reader.good();
    }
  }

  private static boolean isCutHeader(byte[] bytes) {
    byte[] header = Frames.fileHeader();
    return bytes.length < header.length
        && Arrays.equals(bytes, Arrays.copyOf(header, bytes.length));
  }

  @Override
  public void write(RecordedEvent event) {
    forgetWhatFailed();
    entries.encode(event, this::append);
  }

  @Override
  public void alive(Instant now) {
    forgetWhatFailed();
    append(EntryWriter.alive(now));
  }

  private void forgetWhatFailed() {
    if (frames.isFresh()) {
      entries.forget();
    }
  }

  private void append(byte[] entry) {
    if (Files.notExists(path)) {
      throw new RecordingException(path + " was removed while it was written");
    }
    try {
      frames.append(entry);
    } catch (IOException e) {
      throw unwritable(path, e);
    }
  }

  @Override
  public long bytes() {
    return frames.size();
  }

  @Override
  public void close() {
    try {
      frames.close();
    } catch (IOException e) {
      throw unwritable(path, e);
    }
  }
}
