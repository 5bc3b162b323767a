package dev.portolan.server;

import dev.portolan.api.StreamItem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Puts items together into messages, because a message costs much more than its bytes. An item that
 * is larger than a message may be goes alone.
 */
final class Batches implements Consumer<StreamItem> {
  /** Enough to make a message cheap; a client that does not read has one of them waiting. */
  private static final int MOST_BYTES = 32 << 10;

  private final Consumer<StreamItem> out;
  private final List<StreamItem> items = new ArrayList<>();
  private int most;
  private int bytes;

  /** Every item is a message until {@link #upTo} says otherwise. */
  Batches(Consumer<StreamItem> out) {
    this.out = out;
  }

  /** Sets the size of messages, within sensible limits. */
  void upTo(int bytes) {
    most = Math.clamp(Integer.toUnsignedLong(bytes), 0, MOST_BYTES);
  }

  /** Whether {@code batch} is not larger than a message may be. */
  boolean fits(StreamItem batch) {
    return batch.size() <= most;
  }

  /** Takes an item, which goes out when there is enough for a message. */
  @Override
  public void accept(StreamItem item) {
    if (bytes + item.sizeInBatch() > most) {
      flush();
    }
    items.add(item);
    bytes += item.sizeInBatch();
    if (bytes >= most) {
      flush();
    }
  }

  /** Sends what waits. */
  void flush() {
    if (!items.isEmpty()) {
      out.accept(StreamItem.batch(items));
      items.clear();
      bytes = 0;
    }
  }
}
