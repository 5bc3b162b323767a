package dev.portolan.nftables.table;

import dev.portolan.core.net.IpFamily;
import dev.portolan.nftables.Expressions;

/** A part of a packet that rules look at. */
public enum PacketField {
  SOURCE("saddr"),
  DESTINATION("daddr"),
  PROTOCOL("meta l4proto"),
  PORT("th dport"),
  SOURCE_PORT("th sport");

  private final String text;

  PacketField(String text) {
    this.text = text;
  }

  /** The field in nft's words. */
  String text(IpFamily family) {
    return isAddress() ? (family == IpFamily.IPV4 ? "ip " : "ip6 ") + text : text;
  }

  /** How many bytes it has. */
  int length(IpFamily family) {
    return switch (this) {
      case SOURCE, DESTINATION -> family.bits() / 8;
      case PROTOCOL -> 1;
      case PORT, SOURCE_PORT -> 2;
    };
  }

  /** nft's number for its type. */
  int type(IpFamily family) {
    return switch (this) {
      case SOURCE, DESTINATION -> family == IpFamily.IPV4 ? 7 : 8;
      case PROTOCOL -> 12;
      case PORT, SOURCE_PORT -> 13;
    };
  }

  /** Loads it into the registers from {@code word} on; returns the first word after it. */
  int load(Expressions expressions, IpFamily family, int word) {
    return load(expressions, family, word, length(family));
  }

  /** The same, only its first bytes. */
  int load(Expressions expressions, IpFamily family, int word, int bytes) {
    int register = register(word);
    switch (this) {
      case SOURCE ->
          expressions.payload(
              register, Expressions.NETWORK_HEADER, family == IpFamily.IPV4 ? 12 : 8, bytes);
      case DESTINATION ->
          expressions.payload(
              register, Expressions.NETWORK_HEADER, family == IpFamily.IPV4 ? 16 : 24, bytes);
      case PROTOCOL -> expressions.meta(register, Expressions.META_L4PROTO);
      case PORT -> expressions.payload(register, Expressions.TRANSPORT_HEADER, 2, bytes);
      case SOURCE_PORT -> expressions.payload(register, Expressions.TRANSPORT_HEADER, 0, bytes);
    }
    return word + (length(family) + 3) / 4;
  }

  /** The kernel's name for the register that starts at a word of 4 bytes. */
  static int register(int word) {
    return word % 4 == 0 ? 1 + word / 4 : 8 + word;
  }

  private boolean isAddress() {
    return this == SOURCE || this == DESTINATION;
  }
}
