package dev.portolan.compare.events;

import dev.portolan.compare.decisions.ClusterComparison;
import dev.portolan.compare.decisions.ComparedNodes;
import dev.portolan.compare.decisions.EndpointChange;
import dev.portolan.compare.decisions.NodePair;
import dev.portolan.compare.decisions.NodeSet;
import dev.portolan.compare.decisions.PortDifference;
import dev.portolan.compare.decisions.ServiceDifference;
import dev.portolan.compare.decisions.TrafficDifference;
import dev.portolan.compare.decisions.VerdictChange;
import dev.portolan.compare.events.Impact.LeavingZone;
import dev.portolan.compare.events.Impact.Load;
import dev.portolan.compare.events.Impact.Turn;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Goes through what differs and collects what it means. */
final class ImpactTally {
  private final ComparedNodes nodes;
  private final Map<String, NodePair> pairs = new HashMap<>();
  private final List<Turn> broken = new ArrayList<>();
  private final List<Turn> mended = new ArrayList<>();
  private final List<Load> loads = new ArrayList<>();
  private final List<LeavingZone> leaving = new ArrayList<>();
  private final Set<String> otherwise = new TreeSet<>();
  private int unnoticed;

  ImpactTally(ComparedNodes nodes) {
    this.nodes = nodes;
    nodes.pairs().forEach(pair -> pairs.put(pair.name(), pair));
  }

  Impact of(ClusterComparison comparison) {
    for (ServiceDifference service : comparison.services()) {
      int before = broken.size() + mended.size() + loads.size() + leaving.size();
      for (PortDifference port : service.ports()) {
        add(port);
      }
      if (before == broken.size() + mended.size() + loads.size() + leaving.size()) {
        if (isNoticed(service)) {
          otherwise.add(service.name().toString());
        } else {
          unnoticed++;
        }
      }
    }
    loads.sort(
        Comparator.comparingDouble((Load load) -> -load.factor()).thenComparing(Load::port));
    return new Impact(broken, mended, loads, leaving, otherwise, comparison.servicesSame() + unnoticed);
  }

  /** Whether a new connection can notice; one that exists notices that its endpoint is gone. */
  private static boolean isNoticed(ServiceDifference service) {
    return !service.properties().isEmpty()
        || service.ports().stream()
            .anyMatch(port ->
                !port.traffic().isEmpty()
                    || !port.properties().isEmpty()
                    || !port.addressesGained().isEmpty()
                    || !port.addressesLost().isEmpty());
  }

  private void add(PortDifference port) {
    List<Turn> turns = new ArrayList<>();
    for (TrafficDifference traffic : port.traffic()) {
      for (VerdictChange verdict : traffic.verdicts()) {
        if (verdict.breaks() || verdict.mends()) {
          join(turns, port, traffic.traffic(), verdict);
        }
      }
    }
    for (Turn turn : turns) {
      (turn.before() == Verdict.FORWARD ? broken : mended).add(turn);
    }
    // The kind of traffic that most endpoints serve says how much each of them gets.
    port.traffic().stream()
        .filter(traffic -> traffic.endpointsAfter() > 0 && traffic.endpointsBefore() > 0)
        .filter(traffic -> traffic.endpointsAfter() != traffic.endpointsBefore())
        .max(Comparator.comparingInt(TrafficDifference::endpointsBefore))
        .ifPresent(traffic ->
            loads.add(
                new Load(
                    port.name(),
                    port.family(),
                    traffic.endpointsBefore(),
                    traffic.endpointsAfter())));
    port.traffic().stream()
        .filter(traffic -> traffic.traffic() == Traffic.INTERNAL)
        .forEach(traffic -> findLeaving(port, traffic));
  }

  /** The same turn of several kinds of traffic is one. */
  private static void join(
      List<Turn> turns, PortDifference port, Traffic traffic, VerdictChange verdict) {
    for (int i = 0; i < turns.size(); i++) {
      Turn turn = turns.get(i);
      if (turn.before() == verdict.before()
          && turn.after() == verdict.after()
          && turn.nodes().equals(verdict.nodes())) {
        List<Traffic> kinds = new ArrayList<>(turn.traffic());
        kinds.add(traffic);
        turns.set(
            i,
            new Turn(
                turn.port(), turn.family(), kinds, turn.before(), turn.after(), turn.nodes()));
        return;
      }
    }
    turns.add(
        new Turn(
            port.name(),
            port.family(),
            List.of(traffic),
            verdict.before(),
            verdict.after(),
            verdict.nodes()));
  }

  /** Only clients in a zone that lost an endpoint can have lost their last one there. */
  private void findLeaving(PortDifference port, TrafficDifference traffic) {
    Set<String> zones = new TreeSet<>();
    for (EndpointChange lost : traffic.lost()) {
      zones.add(zone(lost.endpoint().node()));
    }
    zones.remove("");
    for (String zone : zones) {
      Map<Integer, Set<String>> byCount = new TreeMap<>();
      for (String node : port.nodes().only(name -> zone(name).equals(zone)).names()) {
        NodePair pair = pairs.get(node);
        if (pair != null) {
          int before = inZone(pair.before(), port, zone).orElse(0);
          boolean left = inZone(pair.after(), port, zone).filter(count -> count == 0).isPresent();
          if (before > 0 && left) {
            byCount.computeIfAbsent(before, key -> new TreeSet<>()).add(node);
          }
        }
      }
      byCount.forEach((count, names) -> {
        NodeSet where = port.nodes().only(names::contains);
        leaving.add(new LeavingZone(port.name(), port.family(), zone, count, where));
      });
    }
  }

  private String zone(String node) {
    return Optional.ofNullable(nodes.cluster().nodes().get(node))
        .map(Node::zone)
        .orElse("");
  }

  /** How many endpoints of a port are in a zone; nothing where the port is not served. */
  private Optional<Integer> inZone(NodeImage image, PortDifference port, String zone) {
    NodeService service = image.service(port.name().service());
    if (service == null) {
      return Optional.empty();
    }
    return service.ports().stream()
        .filter(one -> one.name().equals(port.name()) && one.family() == port.family())
        .map(one -> one.endpoints(Traffic.INTERNAL))
        .filter(endpoints -> !endpoints.isEmpty())
        .map(endpoints ->
            (int) endpoints.stream().filter(one -> zone(one.node()).equals(zone)).count())
        .findFirst();
  }
}
