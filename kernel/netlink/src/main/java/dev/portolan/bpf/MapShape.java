package dev.portolan.bpf;

/**
 * What a map looks like.
 *
 * @param name up to 15 letters, digits and underscores, which {@code bpftool} shows
 * @param keyBytes how long a key is
 * @param valueBytes how long a value is
 * @param capacity how many entries it holds at most
 */
public record MapShape(String name, Kind kind, int keyBytes, int valueBytes, int capacity) {
  /** What happens when a map is full. */
  public enum Kind {
    /** Nothing more goes in. Memory is taken for entries that exist. */
    HASH(1, 1),
    /** What was not used for longest goes. Memory is taken for all entries at once. */
    LRU(9, 0);

    private final int type;
    private final int flags;

    Kind(int type, int flags) {
      this.type = type;
      this.flags = flags;
    }

    int type() {
      return type;
    }

    int flags() {
      return flags;
    }
  }

  /** The same with room for more entries. */
  public MapShape withCapacity(int entries) {
    return new MapShape(name, kind, keyBytes, valueBytes, entries);
  }

  /** Whether a program that works with one works with the other. */
  public boolean fits(MapShape other) {
    return withCapacity(0).equals(other.withCapacity(0));
  }
}
