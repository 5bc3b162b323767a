package dev.portolan.walk.nft.table;

import java.util.Arrays;

/**
 * What a register holds, in words.
 *
 * @param words what was loaded, such as {@code ip daddr}; of a constant nothing
 * @param mask the bits of it that were taken; empty for all
 * @param constant its bytes, if it is a constant
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LoadedText(String words, ValueType type, byte[] mask, byte[] constant) {
  private static final byte[] NOTHING = {};

  static LoadedText of(String words, ValueType type) {
    return new LoadedText(words, type, NOTHING, NOTHING);
  }

  static LoadedText ofConstant(byte[] value) {
    return new LoadedText("", ValueType.BYTES, NOTHING, value);
  }

  /** The first bytes of an address, which nft loads where a prefix ends at a whole one. */
  private static LoadedText ofPrefix(String words, int length, int whole) {
    byte[] mask = new byte[whole];
    Arrays.fill(mask, 0, length, (byte) -1);
    return new LoadedText(words, ValueType.ADDRESS, mask, NOTHING);
  }

  static LoadedText ofHeader(NftExpression.Base base, int offset, int length) {
    String at = base + " " + offset + " " + length;
    return switch (at) {
      case "NETWORK 12 1", "NETWORK 12 2", "NETWORK 12 3" -> ofPrefix("ip saddr", length, 4);
      case "NETWORK 16 1", "NETWORK 16 2", "NETWORK 16 3" -> ofPrefix("ip daddr", length, 4);
      case "NETWORK 12 4" -> of("ip saddr", ValueType.ADDRESS);
      case "NETWORK 16 4" -> of("ip daddr", ValueType.ADDRESS);
      case "NETWORK 9 1" -> of("ip protocol", ValueType.PROTOCOL);
      case "NETWORK 8 16" -> of("ip6 saddr", ValueType.ADDRESS);
      case "NETWORK 24 16" -> of("ip6 daddr", ValueType.ADDRESS);
      case "NETWORK 6 1" -> of("ip6 nexthdr", ValueType.PROTOCOL);
      case "TRANSPORT 0 2" -> of("th sport", ValueType.PORT);
      case "TRANSPORT 2 2" -> of("th dport", ValueType.PORT);
      case "TRANSPORT 13 1" -> of("tcp flags", ValueType.BYTES);
      default -> {
        boolean network = base == NftExpression.Base.NETWORK;
        if (network && length < 16 && (offset == 8 || offset == 24)) {
          yield ofPrefix(offset == 8 ? "ip6 saddr" : "ip6 daddr", length, 16);
        }
        yield of((network ? "@nh," : "@th,") + offset * 8 + "," + length * 8, ValueType.BYTES);
      }
    };
  }

  static LoadedText ofMeta(int key) {
    return switch (key) {
      case 0 -> of("meta length", ValueType.NUMBER);
      case 1 -> of("meta protocol", ValueType.BYTES);
      case 2 -> of("meta priority", ValueType.NUMBER);
      case 3 -> of("meta mark", ValueType.MARK);
      case 4 -> of("iif", ValueType.NUMBER);
      case 5 -> of("oif", ValueType.NUMBER);
      case 6 -> of("iifname", ValueType.NAME);
      case 7 -> of("oifname", ValueType.NAME);
      case 8 -> of("iiftype", ValueType.NUMBER);
      case 9 -> of("oiftype", ValueType.NUMBER);
      case 10 -> of("meta skuid", ValueType.NUMBER);
      case 11 -> of("meta skgid", ValueType.NUMBER);
      case 12 -> of("meta nftrace", ValueType.NUMBER);
      case 15 -> of("meta nfproto", ValueType.FAMILY);
      case 16 -> of("meta l4proto", ValueType.PROTOCOL);
      case 19 -> of("meta pkttype", ValueType.BYTES);
      default -> of("meta key " + key, ValueType.BYTES);
    };
  }

  static LoadedText ofConnection(int key, boolean reply) {
    String direction = reply ? "ct reply " : "ct original ";
    return switch (key) {
      case 0 -> of("ct state", ValueType.CT_STATE);
      case 1 -> of("ct direction", ValueType.BYTES);
      case 2 -> of("ct status", ValueType.CT_STATUS);
      case 3 -> of("ct mark", ValueType.MARK);
      case 8, 19, 21 -> of(direction + "saddr", ValueType.ADDRESS);
      case 9, 20, 22 -> of(direction + "daddr", ValueType.ADDRESS);
      case 10 -> of(direction + "protocol", ValueType.PROTOCOL);
      case 11 -> of(direction + "proto-src", ValueType.PORT);
      case 12 -> of(direction + "proto-dst", ValueType.PORT);
      default -> of("ct key " + key, ValueType.BYTES);
    };
  }

  static LoadedText ofRoute(int result, int flags) {
    StringBuilder words = new StringBuilder("fib ").append((flags & 1) != 0 ? "saddr" : "daddr");
    if ((flags & 4) != 0) {
      words.append(" . mark");
    }
    if ((flags & 8) != 0) {
      words.append(" . iif");
    }
    return switch (result) {
      case 1 -> of(words + " oif", ValueType.NUMBER);
      case 2 -> of(words + " oifname", ValueType.NAME);
      default -> of(words + " type", ValueType.ADDRESS_TYPE);
    };
  }

  /** After bits of it were taken and others turned over. */
  LoadedText masked(byte[] newMask, byte[] xor) {
    if (isZero(xor)) {
      return new LoadedText(words, type, newMask, NOTHING);
    }
    byte[] rest = new byte[xor.length];
    boolean all = true;
    for (int i = 0; i < xor.length; i++) {
      rest[i] = (byte) ~xor[i];
      all &= newMask[i] == -1;
    }
    String how =
        Arrays.equals(rest, newMask)
            ? " | " + type.text(xor)
            : (all ? "" : " & " + type.text(newMask)) + " ^ " + type.text(xor);
    return of(words + how, type);
  }

  /** The comparison with a value, as nft writes it. */
  String compared(NftExpression.Comparison comparison, byte[] value) {
    String sign = comparison.sign() + " ";
    boolean equal = comparison == NftExpression.Comparison.EQUAL;
    if (mask.length == 0) {
      return words + " " + (equal ? "" : sign) + type.text(value);
    }
    boolean flags = type == ValueType.CT_STATE || type == ValueType.CT_STATUS;
    if (flags && isZero(value)) {
      return words + " " + (equal ? "! " : "") + type.text(mask);
    }
    if (type == ValueType.ADDRESS) {
      String pair = type.masked(mask, Arrays.copyOf(value, mask.length));
      return words + (pair.contains("==") ? " & " : equal ? " " : " " + sign) + pair;
    }
    return words + " & " + type.text(mask) + " " + sign + type.text(value);
  }

  private static boolean isZero(byte[] bytes) {
    for (byte octet : bytes) {
      if (octet != 0) {
        return false;
      }
    }
    return true;
  }
}
