package dev.portolan.nftables.table;

import dev.portolan.nftables.Element;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What makes an element the same one: its key, and the end of its range.
 *
 * <p>The keys of a large service differ in the few bytes of a number. The usual hash of bytes gives
 * many of them the same value; this one does not.
 */
final class ElementKey {
  private static final int FACTOR = 0x9e37_79b1;

  private final byte[] key;
  private final byte[] end;
  private final int hash;

  private ElementKey(byte[] key, byte[] end) {
    this.key = key;
    this.end = end;
    int mixed = 1;
    for (byte b : key) {
      mixed = mixed * FACTOR + b;
    }
    for (byte b : end) {
      mixed = mixed * FACTOR + b;
    }
    this.hash = mixed ^ mixed >>> 15;
  }

  /** The key of {@code element}. */
  static ElementKey of(Element element) {
    return new ElementKey(element.key(), element.keyEnd());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ElementKey that
        && hash == that.hash
        && Arrays.equals(key, that.key)
        && Arrays.equals(end, that.end);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
