package dev.portolan.source.kube.wire;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Interns strings, so that the name of a node is kept once and not with each endpoint that runs
 * there.
 *
 * <p>It has a fixed number of slots, in pairs; a new string evicts the older one of its pair. So
 * the pool never grows, and an evicted string is at worst kept twice. Not thread-safe.
 */
final class NamePool {
  private static final int PLACES = 1 << 14;
  private static final int LONGEST = 128;

  private final @Nullable String[] places = new String[PLACES];

  /** The text in {@code bytes} from {@code from} to before {@code to}. */
  String text(byte[] bytes, int from, int to) {
    int length = to - from;
    int hash = 0;
    int all = 0;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + bytes[i];
      all |= bytes[i];
    }
    if (length == 0) {
      return "";
    }
    if (all < 0 || length > LONGEST) {
      return new String(bytes, from, length, StandardCharsets.UTF_8);
    }
    int newer = ((hash * 0x9e3779b9) >>> 18) & ~1;
    String first = places[newer];
    if (first != null && isSame(first, bytes, from, length)) {
      return first;
    }
    String second = places[newer + 1];
    places[newer + 1] = first;
    String text =
        second != null && isSame(second, bytes, from, length)
            ? second
            : new String(bytes, from, length, StandardCharsets.ISO_8859_1);
    places[newer] = text;
    return text;
  }

  /** Whether {@code bytes} hold {@code text}, which is ASCII. */
  static boolean isSame(String text, byte[] bytes, int from, int length) {
    if (text.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (text.charAt(i) != bytes[from + i]) {
        return false;
      }
    }
    return true;
  }
}
