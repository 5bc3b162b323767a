package dev.portolan.walk.nft;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.walk.FirstPacket;
import java.util.ArrayList;
import java.util.List;

/**
 * A packet on its way, and what conntrack keeps of it.
 *
 * @param settled which ends conntrack will not let rules change any more
 * @param changed which ends were changed
 * @param sent whether a rule said where to send it
 * @param remembered the sets that its client was put into
 */
record PacketState(
    Ip source,
    int sourcePort,
    Ip destination,
    int port,
    Protocol protocol,
    int mark,
    int connectionMark,
    Tracking tracking,
    Ends settled,
    Ends changed,
    boolean sent,
    boolean masqueraded,
    List<String> remembered) {
  /** What conntrack knows of the packet. */
  enum Tracking {
    NOT_YET,
    TRACKED,
    NEVER
  }

  /** Some of a packet's two ends. */
  record Ends(boolean source, boolean destination) {
    private static final Ends NONE = new Ends(false, false);

    Ends withSource() {
      return new Ends(true, destination);
    }

    Ends withDestination() {
      return new Ends(source, true);
    }
  }

  PacketState {
    remembered = List.copyOf(remembered);
  }

  /** A packet before the first rule. */
  static PacketState of(FirstPacket packet) {
    return new PacketState(
        packet.source(),
        packet.sourcePort(),
        packet.destination(),
        packet.port(),
        packet.protocol(),
        0,
        0,
        Tracking.NOT_YET,
        Ends.NONE,
        Ends.NONE,
        false,
        false,
        List.of());
  }

  /** A hash of what most often differs between packets on different ways. */
  @Override
  public int hashCode() {
    return 31 * (31 * destination.hashCode() + port) + mark;
  }

  PacketState mark(int value) {
    return copy(value, connectionMark, tracking, settled);
  }

  PacketState connectionMark(int value) {
    return copy(mark, value, tracking, settled);
  }

  PacketState tracking(Tracking value) {
    return copy(mark, connectionMark, value, settled);
  }

  PacketState settle(Ends value) {
    return copy(mark, connectionMark, tracking, value);
  }

  /** Its destination is replaced; the kernel notes a change only where there is one. */
  PacketState sendTo(Ip address, int newPort) {
    boolean same = address.equals(destination) && newPort == port;
    return new PacketState(
        source,
        sourcePort,
        address,
        newPort,
        protocol,
        mark,
        connectionMark,
        tracking,
        settled.withDestination(),
        same ? changed : changed.withDestination(),
        true,
        masqueraded,
        remembered);
  }

  /** Its source is replaced by {@code address}; of the node's own addresses any is as good. */
  PacketState sendFrom(Ip address, int newPort, boolean ofNode) {
    return new PacketState(
        address,
        newPort,
        destination,
        port,
        protocol,
        mark,
        connectionMark,
        tracking,
        settled.withSource(),
        changed.withSource(),
        sent,
        ofNode,
        remembered);
  }

  /** Its source is replaced by an address of the node that the kernel chooses. */
  PacketState masquerade() {
    return sendFrom(source, sourcePort, true);
  }

  /** A rule wrote into its headers. */
  PacketState rewrite(Ip newSource, int newSourcePort, Ip newDestination, int newPort) {
    return new PacketState(
        newSource,
        newSourcePort,
        newDestination,
        newPort,
        protocol,
        mark,
        connectionMark,
        tracking,
        settled,
        changed,
        sent,
        masqueraded,
        remembered);
  }

  PacketState rememberIn(String set) {
    if (remembered.contains(set)) {
      return this;
    }
    List<String> sets = new ArrayList<>(remembered);
    sets.add(set);
    return new PacketState(
        source,
        sourcePort,
        destination,
        port,
        protocol,
        mark,
        connectionMark,
        tracking,
        settled,
        changed,
        sent,
        masqueraded,
        sets);
  }

  private PacketState copy(
      int newMark, int newConnectionMark, Tracking newTracking, Ends newSettled) {
    return new PacketState(
        source,
        sourcePort,
        destination,
        port,
        protocol,
        newMark,
        newConnectionMark,
        newTracking,
        newSettled,
        changed,
        sent,
        masqueraded,
        remembered);
  }
}
