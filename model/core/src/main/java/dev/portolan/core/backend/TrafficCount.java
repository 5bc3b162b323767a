package dev.portolan.core.backend;

import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.text.Tree;

/**
 * How much of one kind something that counts the traffic of a service port has counted so far. It
 * starts again from zero when it is replaced, so it may be lower than before.
 *
 * @param place what counts; it distinguishes the counts of one port and kind
 */
public record TrafficCount(ServicePortName port, String place, Kind kind, long count) {
  /** What is counted; in is from the client to the endpoint. */
  public enum Kind implements Tree.Shown {
    /** New connections that were sent to an endpoint. */
    CONNECTIONS,
    /** Attempts to connect that were answered with a refusal. */
    REFUSED,
    /** First packets that were dropped. */
    DROPPED,
    PACKETS_IN,
    PACKETS_OUT,
    BYTES_IN,
    BYTES_OUT;

    @Override
    public Object shown() {
      return switch (this) {
        case CONNECTIONS -> "connections";
        case REFUSED -> "refused";
        case DROPPED -> "dropped";
        case PACKETS_IN -> "packetsIn";
        case PACKETS_OUT -> "packetsOut";
        case BYTES_IN -> "bytesIn";
        case BYTES_OUT -> "bytesOut";
      };
    }
  }
}
