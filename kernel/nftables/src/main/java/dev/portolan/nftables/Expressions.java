package dev.portolan.nftables;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageWriter;
import java.nio.ByteBuffer;

/**
 * Writes the expressions of a rule: small machine instructions on registers. Registers are numbered
 * as nft does: 1 is a whole one of 16 bytes, 8 to 23 are its quarters of 4 bytes.
 */
public final class Expressions {
  /** Keys of {@link #meta}. */
  public static final int META_MARK = 3;

  public static final int META_IIFNAME = 6;
  public static final int META_L4PROTO = 16;

  private static final int META_NFTRACE = 12;

  /** Keys of {@link #ct}. */
  public static final int CT_STATE = 0;

  public static final int CT_STATUS = 2;

  /** Bases of {@link #payload}. */
  public static final int NETWORK_HEADER = 1;

  public static final int TRANSPORT_HEADER = 2;

  /** Which address {@link #fibType} asks about. */
  public static final int FIB_SOURCE = 1;

  public static final int FIB_DESTINATION = 2;

  private static final int ICMP_PORT_UNREACHABLE = 3;
  private static final int ICMPV6_PORT_UNREACHABLE = 4;

  private final MessageWriter writer = new MessageWriter();

  /** Loads bytes of the packet. */
  public Expressions payload(int register, int base, int offset, int length) {
    return expression(
        "payload", () -> writer.u32(1, register).u32(2, base).u32(3, offset).u32(4, length));
  }

  /** Loads a fact about the packet. */
  public Expressions meta(int register, int key) {
    return expression("meta", () -> writer.u32(2, key).u32(1, register));
  }

  /** Stores a register as a fact about the packet. */
  public Expressions setMeta(int key, int register) {
    return expression("meta", () -> writer.u32(2, key).u32(3, register));
  }

  /** Lets the kernel say of the packet, from here on, which rules it meets. */
  public Expressions trace(int register) {
    return immediate(register, new byte[] {1}).setMeta(META_NFTRACE, register);
  }

  /** Loads a fact about the connection. */
  public Expressions ct(int register, int key) {
    return expression("ct", () -> writer.u32(2, key).u32(1, register));
  }

  /** Goes on only if the register is equal, or unequal. */
  public Expressions compare(int register, boolean equal, byte[] value) {
    return expression(
        "cmp",
        () -> {
          writer.u32(1, register).u32(2, equal ? 0 : 1);
          value(3, value);
        });
  }

  /** {@code register = (register & mask) ^ xor}. */
  public Expressions bitwise(int register, byte[] mask, byte[] xor) {
    return expression(
        "bitwise",
        () -> {
          writer.u32(1, register).u32(2, register).u32(3, mask.length);
          value(4, mask);
          value(5, xor);
        });
  }

  /** Goes on only if the key in the register is in the set, or is not. */
  public Expressions lookup(int register, String set, boolean negated) {
    return expression(
        "lookup",
        () -> {
          writer.text(1, set).u32(2, register);
          if (negated) {
            writer.u32(5, 1);
          }
        });
  }

  /** Loads what a map has for the key; register 0 takes a verdict. */
  public Expressions lookupMap(int register, String map, int destination) {
    return expression("lookup", () -> writer.text(1, map).u32(2, register).u32(3, destination));
  }

  /** Loads a constant. */
  public Expressions immediate(int register, byte[] constant) {
    return expression(
        "immediate",
        () -> {
          writer.u32(1, register);
          value(2, constant);
        });
  }

  /** Ends the rule with a verdict. */
  public Expressions verdict(NftVerdict verdict) {
    return expression("immediate", () -> writer.u32(1, 0).nest(2, () -> verdict.write(writer)));
  }

  /** Loads a random number below {@code modulus}. */
  public Expressions random(int register, int modulus) {
    return expression("numgen", () -> writer.u32(1, register).u32(2, modulus).u32(3, 1).u32(4, 0));
  }

  /** Loads the Jenkins hash of {@code length} bytes in registers, modulo {@code modulus}. */
  public Expressions hash(int from, int length, int register, int modulus, int seed) {
    return expression(
        "hash",
        () ->
            writer
                .u32(1, from)
                .u32(2, register)
                .u32(3, length)
                .u32(4, modulus)
                .u32(5, seed)
                .u32(7, 0));
  }

  /**
   * Loads the type of the packet's source or destination address as routing sees it; 2 is local.
   */
  public Expressions fibType(int register, int which) {
    return expression("fib", () -> writer.u32(1, register).u32(2, 3).u32(3, which));
  }

  /** Sends the connection to the address and port in two registers. */
  public Expressions dnat(AddressFamily family, int addressRegister, int portRegister) {
    return expression(
        "nat",
        () -> {
          writer.u32(1, 1).u32(2, family.number());
          writer.u32(3, addressRegister).u32(4, addressRegister);
          writer.u32(5, portRegister).u32(6, portRegister).u32(7, 3);
        });
  }

  /** Gives the connection an address of this node as source, with a port chosen at random. */
  public Expressions masquerade() {
    return expression("masq", () -> writer.u32(1, 16));
  }

  /** Counts the packets that come here, and their bytes. */
  public Expressions counter() {
    return expression("counter", () -> {});
  }

  /** Refuses the packet with an answer: port unreachable. */
  public Expressions reject(AddressFamily family) {
    int code =
        switch (family) {
          case IPV4 -> ICMP_PORT_UNREACHABLE;
          case IPV6 -> ICMPV6_PORT_UNREACHABLE;
        };
    return expression("reject", () -> writer.u32(1, 0).u8(2, code));
  }

  /** Puts the key in a register into a set, or refreshes it there. */
  public Expressions update(String set, int register) {
    return expression("dynset", () -> writer.u32(4, register).u32(3, 1).text(1, set));
  }

  /** What was written, as the attributes of a rule's list of expressions. */
  public byte[] toBytes() {
    return writer.copyFrom(0);
  }

  /** The same, read back. */
  public Attributes toAttributes() {
    return new Attributes(ByteBuffer.wrap(toBytes()));
  }

  private Expressions expression(String name, Runnable data) {
    writer.nest(
        NftConstants.LIST_ELEMENT,
        () ->
            writer
                .text(NftConstants.EXPRESSION_NAME, name)
                .nest(NftConstants.EXPRESSION_DATA, data));
    return this;
  }

  private void value(int type, byte[] bytes) {
    writer.nest(type, () -> writer.bytes(NftConstants.DATA_VALUE, bytes));
  }
}
