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
import dev.portolan.compare.events.Impact.Reversal;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.node.Endpoint;
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
import java.util.TreeSet;

/** Goes through what differs and collects what it means. */
final class ImpactTally {
  private final ComparedNodes nodes;
  private final Map<String, NodePair> pairs = new HashMap<>();
  private final Map<String, String> zoneOf = new HashMap<>();
  private final List<Reversal> broken = new ArrayList<>();
  private final List<Reversal> mended = new ArrayList<>();
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
    loads.sort(Comparator.comparingDouble((Load load) -> -load.factor()).thenComparing(Load::port));
    return new Impact(
        broken, mended, loads, leaving, otherwise, comparison.servicesSame() + unnoticed);
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
    List<Reversal> reversals = new ArrayList<>();
    for (TrafficDifference traffic : port.traffic()) {
      for (VerdictChange verdict : traffic.verdicts()) {
        if (verdict.breaks() || verdict.mends()) {
          join(reversals, port, traffic.traffic(), verdict);
        }
      }
    }
    for (Reversal reversal : reversals) {
      (reversal.before() == Verdict.FORWARD ? broken : mended).add(reversal);
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

  /** The same reversal of several kinds of traffic is one. */
  private static void join(
      List<Reversal> reversals, PortDifference port, Traffic traffic, VerdictChange verdict) {
    for (int i = 0; i < reversals.size(); i++) {
      Reversal reversal = reversals.get(i);
      if (reversal.before() == verdict.before()
          && reversal.after() == verdict.after()
          && reversal.nodes().equals(verdict.nodes())) {
        List<Traffic> kinds = new ArrayList<>(reversal.traffic());
        kinds.add(traffic);
        reversals.set(
            i,
            new Reversal(
                reversal.port(),
                reversal.family(),
                kinds,
                reversal.before(),
                reversal.after(),
                reversal.nodes()));
        return;
      }
    }
    reversals.add(
        new Reversal(
            port.name(),
            port.family(),
            List.of(traffic),
            verdict.before(),
            verdict.after(),
            verdict.nodes()));
  }

  /** Finds zones whose clients all stayed inside, and would not. */
  private void findLeaving(PortDifference port, TrafficDifference traffic) {
    Set<String> zones = new TreeSet<>();
    for (EndpointChange lost : traffic.lost()) {
      zones.add(zone(lost.endpoint().node()));
    }
    zones.remove("");
    for (String zone : zones) {
      Map<List<Integer>, Set<String>> byCounts = new HashMap<>();
      for (String node : port.nodes().only(name -> zone(name).equals(zone)).names()) {
        NodePair pair = pairs.get(node);
        if (pair != null) {
          List<Endpoint> before = endpoints(pair.before(), port);
          List<Endpoint> after = endpoints(pair.after(), port);
          int inside = inside(before, zone);
          int insideAfter = inside(after, zone);
          if (inside > 0 && inside == before.size() && insideAfter < after.size()) {
            byCounts
                .computeIfAbsent(List.of(inside, insideAfter), key -> new TreeSet<>())
                .add(node);
          }
        }
      }
      byCounts.forEach((counts, names) -> {
        NodeSet where = port.nodes().only(names::contains);
        leaving.add(
            new LeavingZone(
                port.name(), port.family(), zone, counts.getFirst(), counts.getLast(), where));
      });
    }
  }

  private String zone(String node) {
    return zoneOf.computeIfAbsent(
        node,
        name -> Optional.ofNullable(nodes.cluster().nodes().get(name)).map(Node::zone).orElse(""));
  }

  private int inside(List<Endpoint> endpoints, String zone) {
    return (int) endpoints.stream().filter(one -> zone(one.node()).equals(zone)).count();
  }

  private static List<Endpoint> endpoints(NodeImage image, PortDifference port) {
    NodeService service = image.service(port.name().service());
    return service == null
        ? List.of()
        : service.ports().stream()
            .filter(one -> one.name().equals(port.name()) && one.family() == port.family())
            .findFirst()
            .map(one -> one.endpoints(Traffic.INTERNAL))
            .orElse(List.of());
  }
}
