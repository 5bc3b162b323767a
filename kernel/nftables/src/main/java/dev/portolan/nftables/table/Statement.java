package dev.portolan.nftables.table;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.nftables.Expressions;
import dev.portolan.nftables.NftVerdict;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A part of a rule: a condition, or something that is done. It can be written to the kernel and
 * printed, and nft makes the same instructions of what is printed: rules that it loaded are equal.
 */
public sealed interface Statement {
  /** Adds the kernel's instructions. */
  void encode(Expressions expressions, IpFamily family);

  /** The statement in nft's words. */
  String text(IpFamily family);

  /** Goes on only if the fields are in a set, or are not. */
  record InSet(List<PacketField> fields, String set, boolean negated) implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      loadAll(fields, expressions, family);
      expressions.lookup(PacketField.register(0), set, negated);
    }

    @Override
    public String text(IpFamily family) {
      return join(fields, family) + (negated ? " != @" : " @") + set;
    }
  }

  /** Goes where a verdict map says; goes on where it has no entry. */
  record VerdictOf(List<PacketField> fields, String map) implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      loadAll(fields, expressions, family);
      expressions.lookupMap(PacketField.register(0), map, 0);
    }

    @Override
    public String text(IpFamily family) {
      return join(fields, family) + " vmap @" + map;
    }
  }

  /** Goes on only if an address is in a range, or is not. */
  record InRange(PacketField field, Cidr range, boolean negated) implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      byte[] base = range.base().toBytes();
      boolean wholeBytes = range.prefix() > 0 && range.prefix() % 8 == 0;
      int length = wholeBytes ? range.prefix() / 8 : base.length;
      field.load(expressions, family, 0, length);
      if (!wholeBytes) {
        byte[] mask = new byte[length];
        for (int bit = 0; bit < range.prefix(); bit++) {
          mask[bit / 8] |= (byte) (0x80 >>> (bit % 8));
        }
        expressions.bitwise(PacketField.register(0), mask, new byte[length]);
      }
      expressions.compare(PacketField.register(0), !negated, Arrays.copyOf(base, length));
    }

    @Override
    public String text(IpFamily family) {
      String value = range.prefix() == family.bits() ? range.base().toString() : range.toString();
      return field.text(family) + (negated ? " != " : " ") + value;
    }
  }

  /**
   * Goes on only if the packet came through an interface of that name, or of a name so beginning.
   */
  record FromInterface(String name, boolean prefix, boolean negated) implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
      expressions
          .meta(PacketField.register(0), Expressions.META_IIFNAME)
          .compare(PacketField.register(0), !negated, prefix ? bytes : Arrays.copyOf(bytes, 16));
    }

    @Override
    public String text(IpFamily family) {
      return "iifname " + (negated ? "!= " : "") + "\"" + name + (prefix ? "*" : "") + "\"";
    }
  }

  /** Goes on only if the source or destination is an address of this node. */
  record IsLocal(PacketField field) implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      expressions
          .fibType(
              PacketField.register(0),
              field == PacketField.SOURCE ? Expressions.FIB_SOURCE : Expressions.FIB_DESTINATION)
          .compare(PacketField.register(0), true, MessageWriter.nativeBytes(2));
    }

    @Override
    public String text(IpFamily family) {
      return "fib " + (field == PacketField.SOURCE ? "saddr" : "daddr") + " type local";
    }
  }

  /** Counts the packet. */
  record Count() implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      expressions.counter();
    }

    @Override
    public String text(IpFamily family) {
      return "counter";
    }
  }

  /** Goes on only for the first packet of a connection. */
  record IsNew() implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      anyBit(expressions.ct(PacketField.register(0), Expressions.CT_STATE), 8);
    }

    @Override
    public String text(IpFamily family) {
      return "ct state new";
    }
  }

  /** Goes on only for connections whose destination was changed. */
  record WasDnatted() implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      anyBit(expressions.ct(PacketField.register(0), Expressions.CT_STATUS), 0x20);
    }

    @Override
    public String text(IpFamily family) {
      return "ct status dnat";
    }
  }

  /** Goes on only for packets with a bit of the mark set. */
  record IsMarked(int bit) implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      anyBit(expressions.meta(PacketField.register(0), Expressions.META_MARK), bit);
    }

    @Override
    public String text(IpFamily family) {
      return "meta mark & " + hex(bit) + " != 0x00000000";
    }
  }

  /** Sets a bit of the packet's mark. */
  record Mark(int bit) implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      expressions
          .meta(PacketField.register(0), Expressions.META_MARK)
          .bitwise(
              PacketField.register(0),
              MessageWriter.nativeBytes(~bit),
              MessageWriter.nativeBytes(bit))
          .setMeta(Expressions.META_MARK, PacketField.register(0));
    }

    @Override
    public String text(IpFamily family) {
      return "meta mark set meta mark | " + hex(bit);
    }
  }

  /** Turns a bit of the packet's mark over. */
  record Unmark(int bit) implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      expressions
          .meta(PacketField.register(0), Expressions.META_MARK)
          .bitwise(
              PacketField.register(0),
              MessageWriter.nativeBytes(-1),
              MessageWriter.nativeBytes(bit))
          .setMeta(Expressions.META_MARK, PacketField.register(0));
    }

    @Override
    public String text(IpFamily family) {
      return "meta mark set meta mark ^ " + hex(bit);
    }
  }

  /**
   * Sends the connection to the endpoint that a map has for the fields and a hash of the client:
   * its address, and its port as well if {@code byPort}. All nodes hash alike.
   */
  record SendBySlot(Protocol protocol, boolean byAddress, boolean byPort, int slots, String map)
      implements Statement {
    /** Any number does, if it is the same everywhere and always. */
    private static final int SEED = 0x5ca1ab1e;

    /** What nft leaves between where the hash goes and what it is made of, in words. */
    private static final int WORDS_BEFORE_CLIENT = 5;

    @Override
    public void encode(Expressions expressions, IpFamily family) {
      isProtocol(expressions, protocol);
      int slot = byAddress ? PacketField.DESTINATION.load(expressions, family, 0) : 0;
      slot = PacketField.PORT.load(expressions, family, slot);
      int client = slot + WORDS_BEFORE_CLIENT;
      int end = PacketField.SOURCE.load(expressions, family, client);
      end = byPort ? PacketField.SOURCE_PORT.load(expressions, family, end) : end;
      expressions
          .hash(
              PacketField.register(client),
              (end - client) * 4,
              PacketField.register(slot),
              slots,
              SEED)
          .lookupMap(PacketField.register(0), map, PacketField.register(0))
          .dnat(
              FamilyTable.netlink(family),
              PacketField.register(0),
              PacketField.register(family.bits() / 32));
    }

    @Override
    public String text(IpFamily family) {
      return "dnat "
          + ip(family)
          + " to "
          + (byAddress ? PacketField.DESTINATION.text(family) + " . " : "")
          + protocol.lower()
          + " dport . jhash "
          + PacketField.SOURCE.text(family)
          + (byPort ? " . " + protocol.lower() + " sport" : "")
          + " mod "
          + slots
          + " seed "
          + hex(SEED)
          + " map @"
          + map;
    }
  }

  /** Sends the connection to one of {@code choices} endpoints, which a map has for the fields. */
  record SendToOne(Protocol protocol, boolean byAddress, int choices, String map)
      implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      isProtocol(expressions, protocol);
      int word = byAddress ? PacketField.DESTINATION.load(expressions, family, 0) : 0;
      word = PacketField.PORT.load(expressions, family, word);
      expressions
          .random(PacketField.register(word), choices)
          .lookupMap(PacketField.register(0), map, PacketField.register(0))
          .dnat(
              FamilyTable.netlink(family),
              PacketField.register(0),
              PacketField.register(family.bits() / 32));
    }

    @Override
    public String text(IpFamily family) {
      return "dnat "
          + ip(family)
          + " to "
          + (byAddress ? PacketField.DESTINATION.text(family) + " . " : "")
          + protocol.lower()
          + " dport . numgen random mod "
          + choices
          + " map @"
          + map;
    }
  }

  /** Sends the connection to an endpoint. */
  record SendTo(Protocol protocol, Ip address, int port) implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      isProtocol(expressions, protocol);
      int portRegister = PacketField.register(4);
      expressions
          .immediate(PacketField.register(0), address.toBytes())
          .immediate(portRegister, new byte[] {(byte) (port >>> 8), (byte) port})
          .dnat(FamilyTable.netlink(family), PacketField.register(0), portRegister);
    }

    @Override
    public String text(IpFamily family) {
      return "meta l4proto " + protocol.lower() + " dnat to " + address.withPort(port);
    }
  }

  /** Matches one packet in this many, at random. */
  record OnceIn(int times) implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      expressions
          .random(PacketField.register(0), times)
          .compare(PacketField.register(0), true, MessageWriter.nativeBytes(0));
    }

    @Override
    public String text(IpFamily family) {
      return "numgen random mod " + times + " 0";
    }
  }

  /** Remembers the client in a set, or keeps it there for another while. */
  record Remember(String set) implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      PacketField.SOURCE.load(expressions, family, 0);
      expressions.update(set, PacketField.register(0));
    }

    @Override
    public String text(IpFamily family) {
      return "update @" + set + " { " + PacketField.SOURCE.text(family) + " }";
    }
  }

  /** Gives the connection an address of this node as its source. */
  record Masquerade() implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      expressions.masquerade();
    }

    @Override
    public String text(IpFamily family) {
      return "masquerade fully-random";
    }
  }

  /** Refuses the packet with an answer. */
  record Reject() implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      expressions.reject(FamilyTable.netlink(family));
    }

    @Override
    public String text(IpFamily family) {
      return "reject";
    }
  }

  /** Goes to another chain, or ends here. */
  record Go(NftVerdict verdict) implements Statement {
    @Override
    public void encode(Expressions expressions, IpFamily family) {
      expressions.verdict(verdict);
    }

    @Override
    public String text(IpFamily family) {
      return verdict.toString();
    }
  }

  private static void loadAll(List<PacketField> fields, Expressions expressions, IpFamily family) {
    int word = 0;
    for (PacketField field : fields) {
      word = field.load(expressions, family, word);
    }
  }

  private static void anyBit(Expressions loaded, int bit) {
    loaded
        .bitwise(PacketField.register(0), MessageWriter.nativeBytes(bit), new byte[4])
        .compare(PacketField.register(0), false, new byte[4]);
  }

  private static void isProtocol(Expressions expressions, Protocol protocol) {
    expressions
        .meta(PacketField.register(0), Expressions.META_L4PROTO)
        .compare(PacketField.register(0), true, new byte[] {(byte) Keys.number(protocol)});
  }

  private static String join(List<PacketField> fields, IpFamily family) {
    return fields.stream().map(field -> field.text(family)).collect(Collectors.joining(" . "));
  }

  private static String ip(IpFamily family) {
    return family == IpFamily.IPV4 ? "ip" : "ip6";
  }

  private static String hex(int bits) {
    return String.format(Locale.ROOT, "0x%08x", bits);
  }
}
