package dev.portolan.walk.nft;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.TableName;
import dev.portolan.nftables.table.Keys;
import dev.portolan.walk.ServedPlace;
import dev.portolan.walk.nft.KeyLayout.Field;
import dev.portolan.walk.nft.table.CompiledRule;
import dev.portolan.walk.nft.table.CompiledTable;
import dev.portolan.walk.nft.table.CompiledTable.CompiledChain;
import dev.portolan.walk.nft.table.ElementIndex;
import dev.portolan.walk.nft.table.NftDump;
import dev.portolan.walk.nft.table.NftExpression;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tables that have rules for services, by what they do, and the destinations that those
 * name: as keys of their maps and sets, and in rules.
 */
final class ServiceTables {
  /** A set of addresses all of whose ports are looked after. */
  private static final String CLUSTER_IPS = "cluster-ips";

  private static final List<Field> ADDRESS_PORT =
      List.of(Field.DESTINATION, Field.PROTOCOL, Field.PORT);
  private static final List<Field> NODE_PORT = List.of(Field.PROTOCOL, Field.PORT);
  private static final List<Field> NUMBERED_ADDRESS =
      List.of(Field.DESTINATION, Field.PORT, Field.NUMBER);
  private static final List<Field> NUMBERED_NODE_PORT = List.of(Field.PORT, Field.NUMBER);
  private static final List<Field> ADDRESS = List.of(Field.DESTINATION);

  /** What kube-proxy calls the chains of a service: hash, namespace, name, protocol, port. */
  private static final Pattern CHAIN =
      Pattern.compile("[a-z]+-[A-Z2-7]{8}-([^/]+)/([^/]+)/(?:tcp|udp|sctp)/([^/_]*).*");

  private final List<CompiledTable> tables;

  /** What the key of a place is, without its owner. */
  private record Destination(IpFamily family, Protocol protocol, Optional<Ip> address, int port) {}

  ServiceTables(Collection<CompiledTable> all) {
    tables = all.stream().filter(ServiceTables::isForServices).toList();
  }

  List<TableName> tables() {
    return tables.stream().map(CompiledTable::name).toList();
  }

  /** A table that sends packets on, and finds out where by their addresses or ports. */
  private static boolean isForServices(CompiledTable table) {
    boolean sends = false;
    boolean asks = false;
    for (CompiledChain chain : table.chains()) {
      for (CompiledRule rule : chain.rules()) {
        KeyLayout layout = new KeyLayout();
        for (NftExpression each : rule.expressions()) {
          layout.see(each);
          sends |= each instanceof NftExpression.Translate nat && nat.destination();
          if (each instanceof NftExpression.VerdictFromMap load) {
            List<Field> key = layout.key(load.from(), keyLength(table, load.map()));
            asks |= key.equals(ADDRESS_PORT) || key.equals(NODE_PORT);
          }
        }
      }
    }
    return sends && asks;
  }

  private static int keyLength(CompiledTable table, String set) {
    return table.set(set).map(index -> index.set().keyLength()).orElse(0);
  }

  /** Every destination once, with an owner if any rule or element names one. */
  Set<ServedPlace> places() {
    Map<Destination, String> found = new LinkedHashMap<>();
    for (CompiledTable table : tables) {
      Set<String> read = new LinkedHashSet<>();
      for (CompiledChain chain : table.chains()) {
        for (CompiledRule rule : chain.rules()) {
          add(rule, read, found);
        }
      }
    }
    Set<ServedPlace> places = new LinkedHashSet<>();
    found.forEach((it, owner) ->
        places.add(new ServedPlace(it.family, it.protocol, it.address, it.port, owner)));
    return places;
  }

  private static void add(CompiledRule rule, Set<String> read, Map<Destination, String> found) {
    KeyLayout layout = new KeyLayout();
    for (NftExpression each : rule.expressions()) {
      layout.see(each);
      String set =
          switch (each) {
            case NftExpression.VerdictFromMap load -> load.map();
            case NftExpression.LoadFromMap load -> load.map();
            case NftExpression.InSet in -> in.set();
            default -> "";
          };
      int from =
          switch (each) {
            case NftExpression.VerdictFromMap load -> load.from();
            case NftExpression.LoadFromMap load -> load.from();
            case NftExpression.InSet in -> in.from();
            default -> 0;
          };
      Optional<ElementIndex> index = rule.table().set(set);
      if (index.isPresent()) {
        List<Field> fields = layout.key(from, index.get().set().keyLength());
        Optional<Protocol> protocol = protocol(layout.wanted(Field.PROTOCOL));
        if (read.add(set + fields + protocol)) {
          add(rule.table(), index.get().set(), fields, protocol, found);
        }
      }
    }
    addWanted(rule, layout, found);
  }

  /** A rule that names an address, a protocol and a port itself. */
  private static void addWanted(
      CompiledRule rule, KeyLayout layout, Map<Destination, String> found) {
    byte[] address = layout.wanted(Field.DESTINATION);
    byte[] port = layout.wanted(Field.PORT);
    Optional<Protocol> protocol = protocol(layout.wanted(Field.PROTOCOL));
    if (address != null && port != null && protocol.isPresent()) {
      Ip ip = Ip.fromBytes(address);
      found.putIfAbsent(
          new Destination(ip.family(), protocol.get(), Optional.of(ip), port(port, 0)),
          rule.comment());
    }
  }

  private static void add(
      CompiledTable table,
      NftDump.ElementSet set,
      List<Field> fields,
      Optional<Protocol> protocol,
      Map<Destination, String> found) {
    boolean clusterIps = fields.equals(ADDRESS) && set.name().equals(CLUSTER_IPS);
    boolean numbered = fields.equals(NUMBERED_ADDRESS) || fields.equals(NUMBERED_NODE_PORT);
    boolean plain = fields.equals(ADDRESS_PORT) || fields.equals(NODE_PORT);
    if (set.hasRanges() || !(clusterIps || plain || (numbered && protocol.isPresent()))) {
      return;
    }
    IpFamily family = table.name().family() == 10 ? IpFamily.IPV6 : IpFamily.IPV4;
    for (NftDump.Entry entry : set.entries()) {
      Element element = entry.element();
      Optional<Destination> place = destination(element.key(), fields, family, protocol);
      place.ifPresent(
          it -> found.merge(it, owner(element), (old, other) -> old.isEmpty() ? other : old));
    }
  }

  private static Optional<Destination> destination(
      byte[] key, List<Field> fields, IpFamily family, Optional<Protocol> known) {
    Optional<Ip> address = Optional.empty();
    Optional<Protocol> protocol = known;
    int port = 0;
    int at = 0;
    for (Field field : fields) {
      switch (field) {
        case DESTINATION -> {
          int length = family.bits() / 8;
          address = Optional.of(Ip.fromBytes(Arrays.copyOfRange(key, at, at + length)));
          at += length;
        }
        case PROTOCOL -> {
          protocol = protocol(Arrays.copyOfRange(key, at, at + 1));
          at += 4;
        }
        case PORT -> {
          port = port(key, at);
          at += 4;
        }
        default -> at += 4;
      }
    }
    if (fields.equals(ADDRESS)) {
      protocol = Optional.of(Protocol.TCP);
    }
    Optional<Ip> found = address;
    int number = port;
    return protocol.map(it -> new Destination(family, it, found, number));
  }

  private static String owner(Element element) {
    return element.comment().isEmpty()
        ? element.verdict().map(verdict -> ownerOf(verdict.chain())).orElse("")
        : element.comment();
  }

  /** The service port that a chain of kube-proxy is for: {@code shop/web:http}. */
  static String ownerOf(String chain) {
    Matcher matcher = CHAIN.matcher(chain);
    if (!matcher.matches()) {
      return "";
    }
    String port = matcher.group(3);
    return matcher.group(1) + "/" + matcher.group(2) + (port.isEmpty() ? "" : ":" + port);
  }

  private static Optional<Protocol> protocol(byte @Nullable [] number) {
    return number == null || number.length == 0
        ? Optional.empty()
        : Arrays.stream(Protocol.values())
            .filter(it -> Keys.number(it) == Byte.toUnsignedInt(number[0]))
            .findFirst();
  }

  private static int port(byte[] bytes, int at) {
    return Byte.toUnsignedInt(bytes[at]) << 8 | Byte.toUnsignedInt(bytes[at + 1]);
  }
}
