package dev.portolan.walk.nft.table;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.nftables.table.Keys;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How nft writes values of one kind. */
enum ValueType {
  ADDRESS,
  PORT,
  PROTOCOL,
  MARK,
  NAME,
  CT_STATE,
  CT_STATUS,
  ADDRESS_TYPE,
  FAMILY,
  NUMBER,
  BYTES;

  private static final Map<Integer, String> STATES =
      new TreeMap<>(
          Map.of(1, "invalid", 2, "established", 4, "related", 8, "new", 0x40, "untracked"));
  private static final Map<Integer, String> STATUSES =
      new TreeMap<>(
          Map.of(
              1,
              "expected",
              2,
              "seen-reply",
              4,
              "assured",
              8,
              "confirmed",
              0x10,
              "snat",
              0x20,
              "dnat"));
  private static final Map<Integer, String> ADDRESS_TYPES =
      Map.of(1, "unicast", 2, "local", 3, "broadcast", 4, "anycast", 5, "multicast");

  /** How many bytes a value has in a key, with those that fill it up; 0 where that varies. */
  int width(int family) {
    return switch (this) {
      case ADDRESS -> family == 10 ? 16 : 4;
      case NAME -> NftExpression.NAME_LENGTH;
      case BYTES -> 0;
      case PORT, PROTOCOL, MARK, CT_STATE, CT_STATUS, ADDRESS_TYPE, FAMILY, NUMBER -> 4;
    };
  }

  /** A value in words. */
  String text(byte[] value) {
    return switch (this) {
      case ADDRESS -> value.length == 4 || value.length == 16 ? address(value) : hex(value);
      case PORT ->
          value.length < 2
              ? hex(value)
              : String.valueOf(Short.toUnsignedInt(ByteBuffer.wrap(value).getShort()));
      case PROTOCOL -> protocol(value.length == 0 ? 0 : Byte.toUnsignedInt(value[0]));
      case MARK -> String.format(Locale.ROOT, "0x%08x", number(value));
      case NAME -> name(value);
      case CT_STATE -> flags(number(value), STATES);
      case CT_STATUS -> flags(number(value), STATUSES);
      case ADDRESS_TYPE -> ADDRESS_TYPES.getOrDefault(number(value), String.valueOf(number(value)));
      case FAMILY -> value.length > 0 && value[0] == 10 ? "ipv6" : "ipv4";
      case NUMBER -> String.valueOf(number(value));
      case BYTES -> hex(value);
    };
  }

  /** A value after some of its bits were taken, as nft writes the pair. */
  String masked(byte[] mask, byte[] value) {
    int prefix = prefix(mask);
    return this == ADDRESS && prefix >= 0
        ? text(value) + "/" + prefix
        : text(mask) + " == " + text(value);
  }

  private static String address(byte[] value) {
    return Ip.fromBytes(value).toString();
  }

  /** A name; one without the zero at its end stands for all that begin so. */
  private static String name(byte[] value) {
    int end = 0;
    while (end < value.length && value[end] != 0) {
      end++;
    }
    String text = new String(value, 0, end, StandardCharsets.UTF_8);
    return "\"" + text + (end == value.length && end < NftExpression.NAME_LENGTH ? "*" : "") + "\"";
  }

  private static String protocol(int number) {
    return Arrays.stream(Protocol.values())
        .filter(it -> Keys.number(it) == number)
        .findFirst()
        .map(Protocol::lower)
        .orElseGet(() -> String.valueOf(number));
  }

  private static String flags(int bits, Map<Integer, String> names) {
    List<String> found = new ArrayList<>();
    names.forEach((bit, name) -> {
      if ((bits & bit) != 0) {
        found.add(name);
      }
    });
    return found.isEmpty() ? String.format(Locale.ROOT, "0x%x", bits) : String.join(",", found);
  }

  private static int number(byte[] value) {
    return ByteBuffer.wrap(Arrays.copyOf(value, 4)).order(ByteOrder.nativeOrder()).getInt();
  }

  private static String hex(byte[] value) {
    return "0x" + HexFormat.of().formatHex(value);
  }

  /** How many bits a mask has that are all at its start; -1 where they are not. */
  private static int prefix(byte[] mask) {
    int ones = 0;
    boolean ended = false;
    for (byte octet : mask) {
      for (int bit = 7; bit >= 0; bit--) {
        boolean one = (octet >>> bit & 1) != 0;
        if (one && ended) {
          return -1;
        }
        ended |= !one;
        ones += one ? 1 : 0;
      }
    }
    return ones;
  }
}
