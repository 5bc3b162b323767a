package dev.portolan.nftables;

import java.util.List;

/**
 * What a set or map is.
 *
 * @param keyFields the lengths in bytes of the parts of a key; each is padded to 4 in it
 * @param keyType nft's number for the type of the key, which tells how to print it
 * @param dataType nft's number for the type of the data; 0 for a set
 * @param size how many elements rules may add for packets; 0 where they add none
 * @param counts whether each element counts the packets that find it
 * @param userdata how nft is to print it
 */
public record SetSpec(
    String name,
    Kind kind,
    int keyType,
    List<Integer> keyFields,
    int dataType,
    int dataLength,
    boolean ranges,
    int size,
    long timeoutMillis,
    boolean counts,
    UserData userdata) {
  /** nft's number for the type of verdicts. */
  public static final int VERDICT_TYPE = 0xffffff00;

  /** What an element has beside its key. */
  public enum Kind {
    SET,
    DATA_MAP,
    VERDICT_MAP
  }

  /** How long a whole key is. */
  int keyLength() {
    return keyFields.stream().mapToInt(length -> (length + 3) & ~3).sum();
  }

  int flags() {
    boolean concatenated = keyFields.size() > 1;
    return (kind == Kind.SET ? 0 : 8)
        | (ranges ? 4 : 0)
        | (ranges && concatenated ? 0x80 : 0)
        | (size > 0 ? 0x20 : 0)
        | (timeoutMillis > 0 ? 0x10 : 0);
  }
}
