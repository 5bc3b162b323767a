package dev.portolan.walk;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;

/**
 * A packet at some point of its way.
 *
 * @param first as it was when it met the first rule
 * @param in the interface that it came through; empty for one that the node sends
 * @param out the interface that it leaves through; empty where that is not known yet, or never
 * @param untracked whether a rule took it out of connection tracking
 * @param translated whether its destination was changed
 * @param concealed whether its source was changed
 * @param recalled the list of {@code -m recent} that its source is in; empty for none
 */
public record WalkedPacket(
    FirstPacket first,
    Ip source,
    Ip destination,
    int port,
    String in,
    String out,
    int mark,
    int connectionMark,
    boolean untracked,
    boolean translated,
    boolean concealed,
    String recalled) {
  /** A packet that has met no rule yet, from a client that {@code recalled} lists. */
  public static WalkedPacket of(FirstPacket first, String recalled) {
    return new WalkedPacket(
        first,
        first.source(),
        first.destination(),
        first.port(),
        first.arrivesThrough().orElse(""),
        "",
        0,
        0,
        false,
        false,
        false,
        recalled);
  }

  /** The port that it comes from. */
  public int sourcePort() {
    return first.sourcePort();
  }

  /** Its protocol. */
  public Protocol protocol() {
    return first.protocol();
  }

  /** The same with another mark. */
  public WalkedPacket marked(int value) {
    return copy(
        destination, port, in, out, value, connectionMark, untracked, translated, concealed);
  }

  /** The same, of a connection with another mark. */
  public WalkedPacket connectionMarked(int value) {
    return copy(destination, port, in, out, mark, value, untracked, translated, concealed);
  }

  /** The same on its way through other interfaces. */
  public WalkedPacket through(String from, String to) {
    return copy(
        destination, port, from, to, mark, connectionMark, untracked, translated, concealed);
  }

  /** The same outside connection tracking. */
  public WalkedPacket withoutTracking() {
    return copy(destination, port, in, out, mark, connectionMark, true, translated, concealed);
  }

  /** The same to another destination. */
  public WalkedPacket sentTo(Ip address, int number) {
    return copy(address, number, in, out, mark, connectionMark, untracked, true, concealed);
  }

  /** The same with an address of the node as its source. */
  public WalkedPacket masqueraded() {
    return copy(destination, port, in, out, mark, connectionMark, untracked, translated, true);
  }

  private WalkedPacket copy(
      Ip newDestination,
      int newPort,
      String newIn,
      String newOut,
      int newMark,
      int newConnectionMark,
      boolean isUntracked,
      boolean isTranslated,
      boolean isConcealed) {
    return new WalkedPacket(
        first,
        source,
        newDestination,
        newPort,
        newIn,
        newOut,
        newMark,
        newConnectionMark,
        isUntracked,
        isTranslated,
        isConcealed,
        recalled);
  }
}
