package dev.portolan.packets;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;

/**
 * One row: a client, a target, and what must happen to the connection.
 *
 * @param place where the row is written, as {@code file:line}
 */
public record Packet(
    String place, Actor from, Ip address, int port, Protocol protocol, Outcome expected) {
  /** The family of both ends. */
  public IpFamily family() {
    return address.family();
  }

  /** The address that it comes from. */
  public Ip source() {
    return from.address(family());
  }

  /** The same with another outcome. */
  public Packet expecting(Outcome other) {
    return new Packet(place, from, address, port, protocol, other);
  }

  /** The row without what is expected. */
  public String route() {
    return "from " + from + " to " + address.withPort(port) + "/" + protocol.lower();
  }

  /** The row. */
  @Override
  public String toString() {
    return route() + " -> " + expected;
  }
}
