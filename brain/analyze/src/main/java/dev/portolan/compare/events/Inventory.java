package dev.portolan.compare.events;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Ip;
import dev.portolan.core.text.Quotes;
import dev.portolan.text.Spelling;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Finds what events are about; what is not there is a sentence that says what is. */
final class Inventory {
  private static final int MOST_NAMED = 5;

  private final ClusterImage cluster;

  Inventory(ClusterImage cluster) {
    this.cluster = cluster;
  }

  /** A node. */
  Node node(String name) {
    Node node = cluster.nodes().get(name);
    if (node == null) {
      List<String> known = new ArrayList<>();
      cluster.nodes().forEach((key, value) -> known.add(key));
      throw missing("Node", name, known);
    }
    return node;
  }

  /** The names of the nodes in a zone; endpoints may be there without any. */
  Set<String> nodesIn(String zone) {
    Set<String> nodes = new TreeSet<>();
    Set<String> zones = new TreeSet<>();
    cluster
        .nodes()
        .forEach((name, node) -> {
          zones.add(node.zone());
          if (node.zone().equals(zone)) {
            nodes.add(name);
          }
        });
    for (Map.Entry<NamespacedName, EndpointSlice> entry : cluster.slices()) {
      entry.getValue().members().forEach(member -> zones.add(member.zone()));
    }
    if (!zones.contains(zone) || zone.isEmpty()) {
      zones.remove("");
      throw missing("zone", zone, zones);
    }
    return nodes;
  }

  /** A service. */
  Service service(NamespacedName name) {
    Service service = cluster.services().get(name);
    if (service == null) {
      List<String> known = new ArrayList<>();
      cluster.services().forEach((key, value) -> known.add(key.toString()));
      throw missing("Service", name.toString(), known);
    }
    return service;
  }

  /** A slice. */
  EndpointSlice slice(NamespacedName name) {
    EndpointSlice slice = cluster.slices().get(name);
    if (slice == null) {
      List<String> known = new ArrayList<>();
      cluster.slices().forEach((key, value) -> known.add(key.toString()));
      throw missing("EndpointSlice", name.toString(), known);
    }
    return slice;
  }

  /** A pod that is behind an endpoint. */
  ObjectRef pod(NamespacedName name) {
    ObjectRef pod = ClusterEvent.pod(name);
    Set<String> known = new TreeSet<>();
    for (Map.Entry<NamespacedName, EndpointSlice> entry : cluster.slices()) {
      for (Member member : entry.getValue().members()) {
        if (member.target().startsWith("Pod ")) {
          known.add(member.target().substring("Pod ".length()));
        }
      }
    }
    if (!known.contains(name.toString())) {
      throw missing("endpoint of Pod", name.toString(), known);
    }
    return pod;
  }

  /** Makes sure that an endpoint has this address. */
  void address(Ip address) {
    Set<String> known = new TreeSet<>();
    for (Map.Entry<NamespacedName, EndpointSlice> entry : cluster.slices()) {
      for (Member member : entry.getValue().members()) {
        address(member).ifPresent(ip -> known.add(ip.toString()));
      }
    }
    if (!known.contains(address.toString())) {
      throw missing("endpoint with address", address.toString(), known);
    }
  }

  /** The address of a member that counts, if it is one. */
  static Optional<Ip> address(Member member) {
    return member.addresses().isEmpty()
        ? Optional.empty()
        : Ip.parse(member.addresses().getFirst());
  }

  private static IllegalArgumentException missing(
      String what, String name, Collection<String> known) {
    List<String> near = Spelling.near(name, known);
    List<String> some = near.isEmpty() ? known.stream().limit(MOST_NAMED).toList() : near;
    String more = near.isEmpty() && known.size() > MOST_NAMED ? ", …" : "";
    String remedy =
        some.isEmpty()
            ? "there is none at all"
            : (near.isEmpty() ? "there is " : "did you mean ")
                + Quotes.printable(String.join(near.isEmpty() ? ", " : " or ", some))
                + (near.isEmpty() ? more : "?");
    return new IllegalArgumentException(
        "no " + what + " '" + Quotes.printable(name) + "'; " + remedy);
  }
}
