package dev.portolan.nftables;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An element of a set or map. Its arrays are not to be changed. */
public final class Element {
  private static final byte[] NOTHING = {};

  private final byte[] key;
  private final byte[] keyEnd;
  private final byte[] data;
  private final Optional<NftVerdict> verdict;
  private final String comment;

  Element(byte[] key, byte[] keyEnd, byte[] data, Optional<NftVerdict> verdict, String comment) {
    this.key = key;
    this.keyEnd = keyEnd;
    this.data = data;
    this.verdict = verdict;
    this.comment = comment;
  }

  /** An element of a set. */
  public static Element of(byte[] key, String comment) {
    return new Element(key, NOTHING, NOTHING, Optional.empty(), comment);
  }

  /** A range of a set. */
  public static Element range(byte[] first, byte[] last, String comment) {
    return new Element(first, last, NOTHING, Optional.empty(), comment);
  }

  /** An element of a data map. */
  public static Element of(byte[] key, byte[] data, String comment) {
    return new Element(key, NOTHING, data, Optional.empty(), comment);
  }

  /** An element of a verdict map. */
  public static Element of(byte[] key, NftVerdict verdict, String comment) {
    return new Element(key, NOTHING, NOTHING, Optional.of(verdict), comment);
  }

  /** The key; of a range the first one. */
  public byte[] key() {
    return key;
  }

  /** The last key of a range; otherwise empty. */
  public byte[] keyEnd() {
    return keyEnd;
  }

  /** What a data map gives for the key; otherwise empty. */
  public byte[] data() {
    return data;
  }

  /** What a verdict map gives for the key. */
  public Optional<NftVerdict> verdict() {
    return verdict;
  }

  /** What a person reads beside it. */
  public String comment() {
    return comment;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Element element
        && Arrays.equals(key, element.key)
        && Arrays.equals(keyEnd, element.keyEnd)
        && Arrays.equals(data, element.data)
        && verdict.equals(element.verdict)
        && comment.equals(element.comment);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(key) * 31 + Arrays.hashCode(keyEnd);
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.formatHex(key)
        + (keyEnd.length == 0 ? "" : "-" + hex.formatHex(keyEnd))
        + (data.length == 0 ? "" : " : " + hex.formatHex(data))
        + verdict.map(value -> " : " + value).orElse("");
  }
}
