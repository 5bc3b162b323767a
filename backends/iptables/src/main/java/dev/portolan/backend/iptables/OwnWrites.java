package dev.portolan.backend.iptables;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Tells transactions of programs that we ran from those of others. A program of iptables-nft has a
 * netlink socket whose number is that of its process, as long as no other socket has that.
 *
 * <p>Where it is another one, our own change is taken for one by others, and looked at.
 */
final class OwnWrites {
  /** So late a notice of a program that has ended may be read. Later the number is used again. */
  private static final long LATEST = Duration.ofMinutes(1).toNanos();

  private final LongSupplier clock;

  /** When each process ended, if it did. */
  private final Map<Long, OptionalLong> ends = new ConcurrentHashMap<>();

  OwnWrites(LongSupplier clock) {
    this.clock = clock;
  }

  void began(long process) {
    ends.values().removeIf(this::isLongAgo);
    ends.put(process, OptionalLong.empty());
  }

  void ended(long process) {
    ends.put(process, OptionalLong.of(clock.getAsLong()));
  }

  /** Whether the socket of this number is that of a program which we ran. */
  boolean isBy(int port) {
    OptionalLong end = ends.get((long) port);
    return end != null && !isLongAgo(end);
  }

  private boolean isLongAgo(OptionalLong end) {
    return end.isPresent() && clock.getAsLong() - end.getAsLong() > LATEST;
  }
}
