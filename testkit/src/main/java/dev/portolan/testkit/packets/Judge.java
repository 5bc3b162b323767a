package dev.portolan.testkit.packets;

/**
 * Says what becomes of packets: by asking the brain, by sending them, or by walking through rules
 * that were rendered and never loaded.
 */
public interface Judge {
  /** Sets up the node for a table: its settings, and {@link PacketTable#cluster}. */
  Sitting open(PacketTable table);

  /** A judge who has a table before him; several threads may ask. */
  interface Sitting extends AutoCloseable {
    /**
     * What becomes of {@code packet}. A judge who can only watch looks at the row's expectation for
     * how long to watch, and for nothing else.
     */
    Outcome judge(Packet packet);

    /** Why this row cannot be judged on this machine; empty where it can. */
    default String obstacle(Packet packet) {
      return "";
    }

    /** Ends the sitting. */
    @Override
    default void close() {}
  }
}
