package dev.portolan.packets;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeDecision;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.lab.Actor;
import dev.portolan.source.file.Manifests;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A file of packets that share the settings of their node. All files use one cluster; {@code
 * workshop/lab.md} describes the format.
 *
 * @param name the file's name without its ending
 * @param description what the file shows
 */
public record PacketTable(
    String name, String description, NodeSettings settings, List<Packet> packets) {
  private static final String FOLDER = "/packets/";
  private static final String INDEX = "index";
  private static final String CLUSTER = "cluster.yaml";

  public PacketTable {
    packets = List.copyOf(packets);
  }

  /** Reads a table; {@code file} is the name under which mistakes in it are reported. */
  public static PacketTable parse(String file, String text) {
    return new PacketTableParser(file, text).parse();
  }

  /** A table that comes with the kit. */
  public static PacketTable load(String name) {
    String file = name + ".packets";
    return parse(file, resource(file));
  }

  /** All tables that come with the kit. */
  public static List<PacketTable> all() {
    return names().stream().map(PacketTable::load).toList();
  }

  /** One table for each way in which a node is set, for what depends on the cluster and that. */
  public static List<PacketTable> ofEachSetting() {
    Set<NodeSettings> seen = new HashSet<>();
    return all().stream().filter(table -> seen.add(table.settings())).toList();
  }

  /**
   * All tables that come with the kit, for a backend that treats some packets in a way of its own:
   * rows of the files in {@code differences}, a folder among the resources, take the place of those
   * with the same route.
   */
  public static List<PacketTable> all(String differences) {
    return all().stream()
        .map(table -> {
          String file = differences + "/" + table.name() + ".packets";
          return find("/" + file)
              .map(text -> table.with(parse(file, text).packets()))
              .orElse(table);
        })
        .toList();
  }

  /**
   * The same with {@code others} in place of the rows with the same route.
   *
   * @throws IllegalArgumentException where there is no such row, or one that is the same
   */
  public PacketTable with(List<Packet> others) {
    Map<String, Packet> left = new LinkedHashMap<>();
    others.forEach(packet -> left.put(packet.route(), packet));
    List<Packet> rows = new ArrayList<>();
    for (Packet packet : packets) {
      Packet other = left.remove(packet.route());
      if (other != null && other.expected().equals(packet.expected())) {
        throw new IllegalArgumentException(
            other.place() + ": this row does not differ from the usual table: " + other);
      }
      rows.add(other == null ? packet : other);
    }
    if (!left.isEmpty()) {
      throw new IllegalArgumentException(
          "table " + name + " has none of the rows " + left.values());
    }
    return new PacketTable(name, description, settings, rows);
  }

  /** The names of all tables that come with the kit. */
  public static List<String> names() {
    return resource(INDEX).lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  /** The cluster that all tables use. */
  public static ClusterImage cluster() {
    Manifests manifests = Manifests.parse(CLUSTER, resource(CLUSTER));
    if (!manifests.warnings().isEmpty()) {
      throw new IllegalStateException(String.join("\n", manifests.warnings()));
    }
    return manifests.image();
  }

  /** What is decided for the node of the table. */
  public NodeDecision decision() {
    Brain brain =
        new Brain(warning -> {
          throw new IllegalStateException("the packets' cluster: " + warning);
        });
    brain.apply(cluster());
    return brain.open(Actor.NODE_NAME, settings).decision();
  }

  private static String resource(String name) {
    return find(FOLDER + name)
        .orElseThrow(() -> new IllegalArgumentException("the kit has no file packets/" + name));
  }

  private static Optional<String> find(String path) {
    try (InputStream stream = PacketTable.class.getResourceAsStream(path)) {
      return stream == null
          ? Optional.empty()
          : Optional.of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
