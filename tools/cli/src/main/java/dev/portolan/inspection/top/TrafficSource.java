package dev.portolan.inspection.top;

import dev.portolan.api.v1.ServiceTraffic;
import dev.portolan.api.v1.TrafficReply;
import dev.portolan.client.Connection;
import dev.portolan.client.ConnectionException;
import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.inspection.KernelAccess;
import dev.portolan.mode.Mode;
import dev.portolan.mode.ModeSettings;
import dev.portolan.modes.KernelModes;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What has counted the traffic of services, and is asked again and again. */
interface TrafficSource {
  /** All counts now; fails with a sentence where nothing counts. */
  List<TrafficCount> read();

  /** The daemon of a node. */
  record OfDaemon(Connection connection) implements TrafficSource {
    @Override
    public List<TrafficCount> read() {
      TrafficReply reply;
      try {
        reply = connection.traffic();
      } catch (ConnectionException e) {
        throw CommandFailure.input(ErrorCode.of(e), Text.printable(String.valueOf(e.getMessage())));
      }
      if (!reply.getNotCounted().isEmpty()) {
        throw CommandFailure.input(
            ErrorCode.NOT_FOUND,
            connection.address() + ": " + Text.printable(reply.getNotCounted()));
      }
      List<TrafficCount> counts = new ArrayList<>();
      reply.getServicesList().forEach(each -> add(each, counts));
      return counts;
    }

    private static void add(ServiceTraffic each, List<TrafficCount> counts) {
      ServicePortName port =
          new ServicePortName(
              new NamespacedName(each.getNamespace(), each.getService()),
              each.getPort(),
              protocol(each.getProtocol()));
      add(port, Kind.CONNECTIONS, each.hasConnections(), each.getConnections(), counts);
      add(port, Kind.REFUSED, each.hasRefused(), each.getRefused(), counts);
      add(port, Kind.DROPPED, each.hasDropped(), each.getDropped(), counts);
      add(port, Kind.PACKETS_IN, each.hasPacketsIn(), each.getPacketsIn(), counts);
      add(port, Kind.PACKETS_OUT, each.hasPacketsOut(), each.getPacketsOut(), counts);
      add(port, Kind.BYTES_IN, each.hasBytesIn(), each.getBytesIn(), counts);
      add(port, Kind.BYTES_OUT, each.hasBytesOut(), each.getBytesOut(), counts);
    }

    private static Protocol protocol(String name) {
      return Arrays.stream(Protocol.values())
          .filter(one -> one.toString().equals(name))
          .findFirst()
          .orElse(Protocol.TCP);
    }

    private static void add(
        ServicePortName port, Kind kind, boolean counted, long count, List<TrafficCount> counts) {
      if (counted) {
        counts.add(new TrafficCount(port, "", kind, count));
      }
    }
  }

  /** The kernel itself, regardless of who has programmed it. */
  record OfKernel(ModeSettings settings) implements TrafficSource {
    @Override
    public List<TrafficCount> read() {
      List<TrafficCount> counts = new ArrayList<>();
      for (Mode mode : KernelModes.here()) {
        counts.addAll(KernelAccess.read(() -> mode.rules(settings).traffic()));
      }
      if (counts.isEmpty()) {
        throw CommandFailure.input(
            ErrorCode.NOT_FOUND,
            "nothing counts the traffic of services in this kernel; start the daemon with"
                + " --traffic-counters, or ask one with --api");
      }
      return counts;
    }
  }
}
