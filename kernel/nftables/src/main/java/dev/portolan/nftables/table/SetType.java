package dev.portolan.nftables.table;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.nftables.SetSpec;
import dev.portolan.nftables.SetSpec.Kind;
import dev.portolan.nftables.UserData;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a set or map holds, for the kernel and for nft's print of it.
 *
 * @param key the fields of a key
 * @param value what an element has beside its key
 * @param ranges whether the last field of a key may be a range
 * @param timeoutSeconds after which time elements vanish; 0 for never
 * @param size how many elements packets may add; 0 where they add none
 * @param counts whether each element counts the packets that find it
 */
public record SetType(
    List<PacketField> key,
    Value value,
    boolean ranges,
    int timeoutSeconds,
    int size,
    boolean counts,
    String comment) {
  /** What an element has beside its key. */
  public sealed interface Value {
    /** Nothing: a set. */
    record Nothing() implements Value {}

    /** Where to go next. */
    record ChainToGo() implements Value {}

    /** An endpoint; the key ends with its index. Ports are those of one protocol. */
    record IndexedEndpoint(Protocol protocol) implements Value {}
  }

  /** nft's numbers for protocols and their fields, as {@code typeof} keeps them. */
  private static final int IP = 12;

  private static final int IP_DADDR = 12;
  private static final int IP6 = 13;
  private static final int IP6_DADDR = 9;
  private static final int DPORT = 2;
  private static final int INTEGER = 4;
  private static final int INET_SERVICE = 13;

  /** A set. */
  public static SetType set(String comment, PacketField... key) {
    return new SetType(List.of(key), new Value.Nothing(), false, 0, 0, false, comment);
  }

  /** A map to where packets go next. */
  public static SetType verdicts(String comment, PacketField... key) {
    return new SetType(List.of(key), new Value.ChainToGo(), false, 0, 0, false, comment);
  }

  /** A map to numbered endpoints. */
  public static SetType endpoints(Protocol protocol, String comment, PacketField... key) {
    return new SetType(
        List.of(key), new Value.IndexedEndpoint(protocol), false, 0, 0, false, comment);
  }

  /** Whether it is a map to endpoints. */
  boolean holdsEndpoints() {
    return value instanceof Value.IndexedEndpoint;
  }

  /** The same, which counts or does not. */
  public SetType counting(boolean whether) {
    return new SetType(key, value, ranges, timeoutSeconds, size, whether, comment);
  }

  /** The kernel's name of it. */
  SetSpec spec(String name, IpFamily family) {
    List<Integer> lengths =
        new ArrayList<>(key.stream().map(field -> field.length(family)).toList());
    int type = 0;
    for (PacketField field : key) {
      type = (type << 6) | field.type(family);
    }
    int address = PacketField.DESTINATION.type(family);
    boolean plain = value instanceof Value.Nothing && key.size() == 1;
    UserData print = UserData.ofSet(plain, comment);
    return switch (value) {
      case Value.Nothing() ->
          new SetSpec(name, Kind.SET, type, lengths, 0, 0, ranges, size, millis(), counts, print);
      case Value.ChainToGo() ->
          new SetSpec(
              name,
              Kind.VERDICT_MAP,
              type,
              lengths,
              SetSpec.VERDICT_TYPE,
              16,
              false,
              0,
              0,
              counts,
              print);
      case Value.IndexedEndpoint(Protocol protocol) -> {
        lengths.add(4);
        int data = (address << 6) | INET_SERVICE;
        int length = family.bits() / 8 + 4;
        UserData endpoints =
            UserData.ofMap(typeofKey(family, protocol), typeofData(family, protocol), comment);
        int index = (type << 6) | INTEGER;
        yield new SetSpec(
            name, Kind.DATA_MAP, index, lengths, data, length, false, 0, 0, counts, endpoints);
      }
    };
  }

  private long millis() {
    return timeoutSeconds * 1000L;
  }

  /** The type in nft's words. */
  String text(IpFamily family) {
    String names =
        key.stream().map(field -> typeName(field, family)).collect(Collectors.joining(" . "));
    return switch (value) {
      case Value.Nothing() -> "type " + names;
      case Value.ChainToGo() -> "type " + names + " : verdict";
      case Value.IndexedEndpoint(Protocol protocol) -> {
        String dport = protocol.lower() + " dport";
        String daddr = PacketField.DESTINATION.text(family);
        yield "typeof "
            + (key.contains(PacketField.DESTINATION) ? daddr + " . " : "")
            + dport
            + " . numgen random mod 2 : "
            + daddr
            + " . "
            + dport;
      }
    };
  }

  private byte[] typeofKey(IpFamily family, Protocol protocol) {
    byte[] port = UserData.payload(number(protocol), DPORT);
    return key.contains(PacketField.DESTINATION)
        ? UserData.concat(destination(family), port, UserData.random())
        : UserData.concat(port, UserData.random());
  }

  private static byte[] typeofData(IpFamily family, Protocol protocol) {
    return UserData.concat(destination(family), UserData.payload(number(protocol), DPORT));
  }

  private static byte[] destination(IpFamily family) {
    return family == IpFamily.IPV4
        ? UserData.payload(IP, IP_DADDR)
        : UserData.payload(IP6, IP6_DADDR);
  }

  private static int number(Protocol protocol) {
    return switch (protocol) {
      case TCP -> 8;
      case UDP -> 6;
      case SCTP -> 10;
    };
  }

  private static String typeName(PacketField field, IpFamily family) {
    return switch (field) {
      case SOURCE, DESTINATION -> family == IpFamily.IPV4 ? "ipv4_addr" : "ipv6_addr";
      case PROTOCOL -> "inet_proto";
      case PORT, SOURCE_PORT -> "inet_service";
    };
  }
}
