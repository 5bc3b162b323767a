package dev.portolan.core.backend;

import dev.portolan.core.node.ServicePortName;

/**
 * How much of one kind something that counts the traffic of a service port has counted so far. It
 * starts again from zero when it is replaced, so it may be lower than before.
 *
 * @param place what counts; it distinguishes the counts of one port and kind
 */
public record TrafficCount(ServicePortName port, String place, Kind kind, long count) {
  /** What is counted; in is from the client to the endpoint. */
  public enum Kind {
    /** New connections that were sent to an endpoint. */
    CONNECTIONS,
    /** Attempts to connect that were answered with a refusal. */
    REFUSED,
    /** First packets that were dropped. */
    DROPPED,
    PACKETS_IN,
    PACKETS_OUT,
    BYTES_IN,
    BYTES_OUT
  }
}
