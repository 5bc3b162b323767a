package dev.portolan.telemetry.log;

import org.jspecify.annotations.Nullable;

/** A log line before it becomes text. */
@SuppressWarnings("ArrayRecordComponent") // never compared, and gone as soon as it is written
record Line(
    Severity severity,
    String component,
    int level,
    String message,
    @Nullable Throwable cause,
    @Nullable Object[] pairs) {
  private static final String MISSING = "(MISSING)";

  /** Takes a pair. */
  interface PairReader {
    void pair(String name, @Nullable Object value);
  }

  /** Hands over the pairs; a name without a value gets a word that says so. */
  void forEachPair(PairReader reader) {
    for (int i = 0; i < pairs.length; i += 2) {
      reader.pair(String.valueOf(pairs[i]), i + 1 < pairs.length ? pairs[i + 1] : MISSING);
    }
  }
}
