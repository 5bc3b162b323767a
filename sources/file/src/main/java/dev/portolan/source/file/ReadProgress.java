package dev.portolan.source.file;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** How much of the manifests is read so far; another thread may ask. */
public final class ReadProgress {
  private static final double MEGABYTE = 1e6;

  private volatile long total;
  private final AtomicLong before = new AtomicLong();
  private volatile long inFile;

  /** Says how many bytes there are in all. */
  void expect(long bytes) {
    total = bytes;
  }

  /** A file of that many bytes is read. */
  void finish(long bytes) {
    before.addAndGet(bytes);
    inFile = 0;
  }

  /** How much of the file has been read. */
  void reached(long characters) {
    inFile = characters;
  }

  /** The bytes so far and in all, or nothing where that is not known. */
  @Override
  public String toString() {
    long all = total;
    return all <= 0
        ? ""
        : String.format(
            Locale.ROOT,
            "%.0f of %.0f MB",
            Math.min(all, before.get() + inFile) / MEGABYTE,
            all / MEGABYTE);
  }
}
