package dev.portolan.conformance.packets;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.source.file.Manifests;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A file of packets that share the settings of their node. All files speak of one cluster; {@code
 * docs/lab.md} describes the format.
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

  /** The names of all tables that come with the kit. */
  public static List<String> names() {
    return resource(INDEX).lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  /** The cluster of which all tables speak. */
  public static ClusterImage cluster() {
    Manifests manifests = Manifests.parse(CLUSTER, resource(CLUSTER));
    if (!manifests.warnings().isEmpty()) {
      throw new IllegalStateException(String.join("\n", manifests.warnings()));
    }
    return manifests.image();
  }

  private static String resource(String name) {
    try (InputStream stream = PacketTable.class.getResourceAsStream(FOLDER + name)) {
      if (stream == null) {
        throw new IllegalArgumentException("the kit has no file packets/" + name);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
