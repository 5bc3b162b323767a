package dev.portolan.walk.nft.table;

import dev.portolan.netlink.Attributes;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.walk.nft.table.NftExpression.Base;
import dev.portolan.walk.nft.table.NftExpression.Comparison;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Decodes the expressions of rules. The numbers are those of the kernel's {@code
 * linux/netfilter/nf_tables.h}, in whose order each method reads its attributes.
 */
final class ExpressionDecoder {
  /** What a packet does not notice. */
  private static final Set<String> ASIDE = Set.of("counter", "log", "last", "dup", "flow_offload");

  /** What iptables-nft writes: structures of iptables, which are read elsewhere. */
  static final Set<String> COMPATIBILITY = Set.of("match", "target");

  private static final int NAME = 1;
  private static final int DATA = 2;
  private static final int VALUE = 1;
  private static final int VERDICT = 2;
  private static final int WHOLE_REGISTERS = 4;
  private static final int FIRST_QUARTER = 8;

  private ExpressionDecoder() {}

  /** All expressions of a rule, in order. */
  static List<NftExpression> decode(Attributes expressions) {
    List<NftExpression> all = new ArrayList<>();
    for (Attributes.Attribute each : expressions.all()) {
      Attributes expression = each.nested();
      all.add(decode(expression.text(NAME).orElse(""), expression.nested(DATA)));
    }
    return all;
  }

  /** Whether a rule has structures of iptables in it. */
  static boolean isCompatibility(Attributes expressions) {
    return expressions.all().stream()
        .anyMatch(each -> COMPATIBILITY.contains(each.nested().text(NAME).orElse("")));
  }

  private static NftExpression decode(String name, Attributes data) {
    return switch (name) {
      case "payload" -> payload(data);
      case "meta" -> meta(data);
      case "ct" -> connection(data);
      case "cmp" ->
          new NftExpression.Compare(register(data, 1), Comparison.of(data.u32(2)), value(data, 3));
      case "range" ->
          new NftExpression.InRange(
              register(data, 1), data.u32(2) == 1, value(data, 3), value(data, 4));
      case "bitwise" -> bitwise(data);
      case "byteorder" ->
          new NftExpression.SwapBytes(
              register(data, 1), register(data, 2), data.u32(4), data.u32(5));
      case "lookup" -> lookup(data);
      case "dynset" ->
          new NftExpression.ChangeSet(
              register(data, 4), text(data, 1), data.u32(3) == 2, (data.u32(9) & 1) != 0);
      case "immediate" -> immediate(data);
      case "numgen" ->
          new NftExpression.Draw(
              register(data, 1),
              data.u32(2),
              data.u32(4),
              "numgen " + (data.u32(3) == 0 ? "inc" : "random") + " mod " + data.u32(2));
      case "hash" ->
          new NftExpression.Draw(
              register(data, 2),
              data.u32(4),
              data.u32(6),
              (data.u32(7) == 1 ? "symhash" : "jhash") + " mod " + data.u32(4));
      case "fib" -> new NftExpression.LoadRoute(register(data, 1), data.u32(2), data.u32(3));
      case "nat" ->
          new NftExpression.Translate(
              data.u32(1) == 1,
              registerOrNone(data, 3),
              registerOrNone(data, 4),
              registerOrNone(data, 5),
              registerOrNone(data, 6),
              data.u32(7));
      case "redir" -> new NftExpression.Redirect(registerOrNone(data, 1));
      case "masq" -> new NftExpression.Masquerade(data.u32(1));
      case "reject" -> new NftExpression.Reject(data.u32(1), data.u8(2));
      case "notrack" -> new NftExpression.Untrack();
      case "limit" -> new NftExpression.Limit("limit", (data.u32(5) & 1) != 0);
      case "quota" -> new NftExpression.Limit("quota", (data.u32(2) & 1) != 0);
      case "connlimit" -> new NftExpression.Limit("ct count", (data.u32(2) & 1) != 0);
      case "rt" -> new NftExpression.LoadConstant(register(data, 1), new byte[4]);
      case "exthdr" -> extension(data);
      case "objref" -> object(data);
      default ->
          ASIDE.contains(name) ? new NftExpression.Aside(name) : new NftExpression.Obscure(name);
    };
  }

  private static NftExpression payload(Attributes data) {
    int base = data.u32(2);
    if (base != 1 && base != 2) {
      return new NftExpression.Obscure(base == 0 ? "payload of the link layer" : "inner payload");
    }
    Base from = base == 1 ? Base.NETWORK : Base.TRANSPORT;
    return data.first(5).isPresent()
        ? new NftExpression.StoreHeader(register(data, 5), from, data.u32(3), data.u32(4))
        : new NftExpression.LoadHeader(register(data, 1), from, data.u32(3), data.u32(4));
  }

  private static NftExpression meta(Attributes data) {
    return data.first(3).isPresent()
        ? new NftExpression.StoreMeta(register(data, 3), data.u32(2))
        : new NftExpression.LoadMeta(register(data, 1), data.u32(2));
  }

  private static NftExpression connection(Attributes data) {
    return data.first(4).isPresent()
        ? new NftExpression.StoreConnection(register(data, 4), data.u32(2))
        : new NftExpression.LoadConnection(register(data, 1), data.u32(2), data.u8(3) == 1);
  }

  private static NftExpression bitwise(Attributes data) {
    int from = register(data, 1);
    int to = register(data, 2);
    return switch (data.u32(6)) {
      case 0 -> new NftExpression.MaskAndFlip(from, to, value(data, 4), value(data, 5));
      case 1, 2 -> {
        byte[] shift = value(data, 7);
        int bits = ByteBuffer.wrap(Arrays.copyOf(shift, 4)).order(ByteOrder.nativeOrder()).getInt();
        yield new NftExpression.Shift(from, to, data.u32(3), data.u32(6) == 1, bits);
      }
      default -> new NftExpression.Obscure("bitwise of two registers");
    };
  }

  private static NftExpression lookup(Attributes data) {
    int from = register(data, 2);
    if (data.first(3).isEmpty()) {
      return new NftExpression.InSet(from, text(data, 1), (data.u32(5) & 1) != 0);
    }
    return data.u32(3) == 0
        ? new NftExpression.VerdictFromMap(from, text(data, 1))
        : new NftExpression.LoadFromMap(from, text(data, 1), register(data, 3));
  }

  private static NftExpression immediate(Attributes data) {
    return data.nested(2)
        .first(VERDICT)
        .<NftExpression>map(verdict -> new NftExpression.Decide(NftVerdict.read(verdict.nested())))
        .orElseGet(() -> new NftExpression.LoadConstant(register(data, 1), value(data, 2)));
  }

  /** The first packet has no headers of IPv6 between the two; of TCP's options nothing is known. */
  private static NftExpression extension(Attributes data) {
    boolean writes = data.first(7).isPresent();
    boolean present = (data.u32(5) & 1) != 0;
    boolean ofIpv6 = data.u32(6) == 0;
    if (writes) {
      return new NftExpression.Aside("exthdr");
    }
    return ofIpv6 && present
        ? new NftExpression.LoadConstant(register(data, 1), new byte[4])
        : new NftExpression.Obscure("exthdr");
  }

  /** A reference to an object of the table by its type. */
  private static NftExpression object(Attributes data) {
    return switch (data.u32(1)) {
      case 1, 3, 7, 8, 9 -> new NftExpression.Aside("counter");
      case 2 -> new NftExpression.Limit("quota", false);
      case 4 -> new NftExpression.Limit("limit", false);
      case 5 -> new NftExpression.Limit("ct count", false);
      default -> new NftExpression.Obscure("objref");
    };
  }

  private static byte[] value(Attributes data, int type) {
    return data.nested(type).bytes(VALUE);
  }

  private static String text(Attributes data, int type) {
    return data.text(type).orElse("");
  }

  private static int registerOrNone(Attributes data, int type) {
    return data.first(type).isPresent() ? register(data, type) : -1;
  }

  /** The first word of a register: 1 to 4 are four words each, 8 to 23 are one each. */
  private static int register(Attributes data, int type) {
    int number = data.u32(type);
    return number <= WHOLE_REGISTERS ? Math.max(0, number - 1) * 4 : number - FIRST_QUARTER;
  }
}
