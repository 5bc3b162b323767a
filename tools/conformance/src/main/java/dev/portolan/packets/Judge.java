package dev.portolan.packets;

/**
 * Says what happens to packets: by asking the brain, by sending them, or by walking through rules
 * that were rendered and never loaded.
 */
public interface Judge {
  /** Sets up the node for a table: its settings, and {@link PacketTable#cluster}. */
  Sitting open(PacketTable table);

  /** A judge with a table; thread-safe. */
  interface Sitting extends AutoCloseable {
    /**
     * What happens to {@code packet}. A judge that can only observe uses the row's expectation to
     * know how long to observe, and for nothing else.
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
