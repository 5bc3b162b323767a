package dev.portolan.backend.userspace;

import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Verdict;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** What passed through this process for a service port in one family. Any thread may call. */
final class PassedTraffic {
  private final LongAdder connections = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder in = new LongAdder();
  private final LongAdder out = new LongAdder();

  /** A client was sent to an endpoint. */
  void connected() {
    connections.increment();
  }

  /** A client got no endpoint, by this verdict. */
  void turnedAway(Verdict verdict) {
    (verdict == Verdict.DROP ? dropped : refused).increment();
  }

  /** Counts bytes from a client. */
  void in(long bytes) {
    in.add(bytes);
  }

  /** Counts bytes to a client. */
  void out(long bytes) {
    out.add(bytes);
  }

  /** The counts so far; {@code place} distinguishes them from those of another family. */
  List<TrafficCount> counts(ServicePortName port, String place) {
    return List.of(
        new TrafficCount(port, place, Kind.CONNECTIONS, connections.sum()),
        new TrafficCount(port, place, Kind.REFUSED, refused.sum()),
        new TrafficCount(port, place, Kind.DROPPED, dropped.sum()),
        new TrafficCount(port, place, Kind.BYTES_IN, in.sum()),
        new TrafficCount(port, place, Kind.BYTES_OUT, out.sum()));
  }
}
