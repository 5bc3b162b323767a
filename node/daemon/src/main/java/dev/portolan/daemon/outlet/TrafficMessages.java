package dev.portolan.daemon.outlet;

import dev.portolan.api.v1.ServiceTraffic;
import dev.portolan.api.v1.TrafficReply;
import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.status.traffic.PortTraffic;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The traffic of services as messages of the API. */
final class TrafficMessages {
  private TrafficMessages() {}

  /** What is answered where {@code traffic} is counted, or is not. */
  static TrafficReply reply(Optional<Supplier<List<PortTraffic>>> traffic) {
    if (traffic.isEmpty()) {
      return TrafficReply.newBuilder()
          .setNotCounted(
              "the daemon does not count traffic; start it with --traffic-counters, in a mode that"
                  + " counts")
          .build();
    }
    TrafficReply.Builder reply = TrafficReply.newBuilder();
    traffic.get().get().forEach(port -> reply.addServices(message(port)));
    Instant now = Instant.now();
    return reply
        .setReadUnixNanos(TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano())
        .build();
  }

  private static ServiceTraffic message(PortTraffic traffic) {
    ServicePortName name = traffic.port();
    ServiceTraffic.Builder message =
        ServiceTraffic.newBuilder()
            .setNamespace(name.service().namespace())
            .setService(name.service().name())
            .setPort(name.port())
            .setProtocol(name.protocol().toString());
    traffic.totals().forEach((kind, total) -> set(message, kind, total));
    return message.build();
  }

  private static void set(ServiceTraffic.Builder message, Kind kind, long total) {
    ServiceTraffic.Builder _ =
        switch (kind) {
          case CONNECTIONS -> message.setConnections(total);
          case REFUSED -> message.setRefused(total);
          case DROPPED -> message.setDropped(total);
          case PACKETS_IN -> message.setPacketsIn(total);
          case PACKETS_OUT -> message.setPacketsOut(total);
          case BYTES_IN -> message.setBytesIn(total);
          case BYTES_OUT -> message.setBytesOut(total);
        };
  }
}
