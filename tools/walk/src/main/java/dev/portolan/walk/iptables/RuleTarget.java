package dev.portolan.walk.iptables;

import dev.portolan.core.net.Ip;
import java.util.List;

/** What a rule does with a packet that matches. */
sealed interface RuleTarget {
  /** Nothing that changes the packet's way: counts it, logs it. */
  record Pass() implements RuleTarget {}

  /** Ends the walk through the table, or the packet. */
  enum End implements RuleTarget {
    ACCEPT,
    DROP,
    REJECT,
    RETURN
  }

  /**
   * Goes on in another chain.
   *
   * @param forGood whether it does not come back to this one
   */
  record ToChain(String chain, boolean forGood) implements RuleTarget {}

  /** Gives the packet the mark {@code (mark & keep) ^ flip}. */
  record Mark(int keep, int flip) implements RuleTarget {}

  /** Gives the connection the mark {@code (mark & keep) ^ flip}. */
  record ConnectionMark(int keep, int flip) implements RuleTarget {}

  /** Copies bits of the packet's mark to the connection. */
  record SaveMark(int packetMask, int connectionMask) implements RuleTarget {}

  /** Copies bits of the connection's mark to the packet. */
  record RestoreMark(int packetMask, int connectionMask) implements RuleTarget {}

  /**
   * Changes the destination.
   *
   * @param addresses one of them; empty keeps the address
   * @param port 0 keeps the port
   */
  record Translate(List<Ip> addresses, int port) implements RuleTarget {}

  /** Sends to this host; port 0 keeps the port. */
  record Redirect(int port) implements RuleTarget {}

  /** Changes the source to an address of the interface that the packet leaves through. */
  record Masquerade() implements RuleTarget {}

  /** Changes the source to one of these. */
  record ChangeSource(List<Ip> addresses) implements RuleTarget {}

  /** Takes the packet out of connection tracking, so that it is never translated. */
  record Untrack() implements RuleTarget {}

  /** Something that is not known here. */
  record Unknown() implements RuleTarget {}
}
