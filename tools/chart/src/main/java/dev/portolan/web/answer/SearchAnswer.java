package dev.portolan.web.answer;

import dev.portolan.brain.EndpointCandidate;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.text.Tree;
import dev.portolan.web.state.ChartState;
import dev.portolan.web.state.ServiceRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What has a text in its name or address: services, addresses, endpoints, pods and nodes. */
final class SearchAnswer {
  private static final int MOST = 50;

  private final String wanted;

  /**
   * Hits by how well they fit: the whole text, its beginning, the beginning of a part, anywhere.
   */
  private final List<List<Hit>> hits =
      List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());

  private final Set<String> seen = new HashSet<>();

  private record Hits(long revision, List<Hit> hits) {}

  private record Hit(
      String kind,
      String text,
      String detail,
      @Tree.OmitEmpty String service,
      @Tree.OmitEmpty String node) {}

  private SearchAnswer(String wanted) {
    this.wanted = wanted;
  }

  /** Searches for {@code text} in all that {@code state} has. */
  static Object of(String text, ChartState state) {
    SearchAnswer search = new SearchAnswer(text.toLowerCase(Locale.ROOT));
    if (!text.isEmpty()) {
      search.look(state);
    }
    return new Hits(
        state.revision(), search.hits.stream().flatMap(List::stream).limit(MOST).toList());
  }

  private void look(ChartState state) {
    for (Map.Entry<NamespacedName, ServiceRow> entry : state.rows()) {
      service(entry.getValue());
    }
    for (Map.Entry<String, Node> entry : state.decision().cluster().nodes()) {
      node(entry.getValue());
    }
    for (Map.Entry<NamespacedName, ServicePlan> entry : state.decision().plans()) {
      for (ServicePlan.PortPlan port : entry.getValue().ports()) {
        for (EndpointCandidate candidate : port.candidates()) {
          endpoint(candidate, entry.getKey().toString());
        }
      }
    }
  }

  private void service(ServiceRow row) {
    String id = row.id().toString();
    int rank = Math.min(rank(id), rank(row.id().name()));
    if (isRoom(rank)) {
      String address = row.addresses().isEmpty() ? "" : " " + row.addresses().getFirst();
      add(rank, "service", id, row.type() + address + ", " + row.ports(), id, "");
    }
    for (String address : row.addresses()) {
      int fit = rank(address);
      if (isRoom(fit)) {
        add(fit, "address", address, "address of " + id, id, "");
      }
    }
  }

  private void node(Node node) {
    Stream.of(Stream.of(node.name()), node.internalIps().stream(), node.externalIps().stream())
        .flatMap(texts -> texts)
        .mapToInt(this::rank)
        .min()
        .ifPresent(rank -> {
          if (isRoom(rank)) {
            String zone = node.zone().isEmpty() ? "" : node.zone() + ", ";
            String addresses =
                String.join(
                    ", ",
                    Stream.concat(node.internalIps().stream(), node.externalIps().stream())
                        .toList());
            add(rank, "node", node.name(), zone + addresses, "", node.name());
          }
        });
  }

  private void endpoint(EndpointCandidate candidate, String service) {
    String node = candidate.member().node();
    String where = node.isEmpty() ? "" : " on " + node;
    String address = candidate.endpoint().address().toString();
    int rank = rank(address);
    if (isRoom(rank) && seen.add(address + " " + service)) {
      add(rank, "endpoint", address, "endpoint of " + service + where, service, node);
    }
    String pod = ServiceAnswer.pod(candidate.member().target());
    if (!pod.isEmpty()) {
      int fit = Math.min(rank(pod), rank(pod.substring(pod.indexOf('/') + 1)));
      if (isRoom(fit) && seen.add(pod + " " + service)) {
        add(fit, "pod", pod, address + ", endpoint of " + service + where, service, node);
      }
    }
  }

  /** How well a text fits; as many as there are lists where it does not. */
  private int rank(String text) {
    String low = text.toLowerCase(Locale.ROOT);
    int at = low.indexOf(wanted);
    if (at < 0) {
      return hits.size();
    }
    if (at == 0) {
      return low.length() == wanted.length() ? 0 : 1;
    }
    return Character.isLetterOrDigit(low.charAt(at - 1)) ? 3 : 2;
  }

  private boolean isRoom(int rank) {
    return rank < hits.size() && hits.get(rank).size() < MOST;
  }

  private void add(int rank, String kind, String text, String detail, String service, String node) {
    hits.get(rank).add(new Hit(kind, text, detail, service, node));
  }
}
