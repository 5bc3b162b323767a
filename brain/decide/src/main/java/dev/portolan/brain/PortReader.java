package dev.portolan.brain;

import static dev.portolan.core.text.Quotes.brief;

import dev.portolan.brain.ServiceDraft.PassedOver;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Reason;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.text.Counted;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads one port of a service: which endpoints the slices of the service have for it. */
final class PortReader {
  /** How many ports a warning names. */
  private static final int MOST_PORTS = 5;

  private final Frontend frontend;
  private final List<SliceDraft> slices;

  private PortReader(Frontend frontend, List<SliceDraft> slices) {
    this.frontend = frontend;
    this.slices = slices;
  }

  /** The endpoints that could be chosen for a port, each address and port once, in their order. */
  static ServiceDraft.Port read(Frontend frontend, List<SliceDraft> slices) {
    return new PortReader(frontend, slices).draft();
  }

  private ServiceDraft.Port draft() {
    List<List<EndpointCandidate>> found = new ArrayList<>(slices.size());
    List<PassedOver> passedOver = new ArrayList<>();
    for (SliceDraft slice : slices) {
      List<EndpointSlice.Port> ports = slice.slice().ports();
      for (int i = 0; i < ports.size(); i++) {
        if (slice.family() == frontend.family()
            && isThis(ports.get(i))
            && InputRules.isPort(ports.get(i).port())) {
          passedOver.addAll(slice.refused());
          found.add(slice.candidates().get(i));
        }
      }
    }
    List<EndpointCandidate> candidates = withoutDuplicates(merged(found), passedOver);
    String mismatch = candidates.isEmpty() && passedOver.isEmpty() ? mismatch() : "";
    return new ServiceDraft.Port(frontend, candidates, List.copyOf(passedOver), mismatch);
  }

  private boolean isThis(EndpointSlice.Port port) {
    ServicePortName name = frontend.name();
    return port.protocol() == name.protocol() && port.name().equals(name.port());
  }

  private static List<EndpointCandidate> merged(List<List<EndpointCandidate>> lists) {
    if (lists.size() < 2) {
      return lists.isEmpty() ? List.of() : lists.getFirst();
    }
    List<EndpointCandidate> merged = new ArrayList<>();
    for (List<EndpointCandidate> list : lists) {
      merged.addAll(list);
    }
    merged.sort(EndpointCandidate.ORDER);
    return List.copyOf(merged);
  }

  private static List<EndpointCandidate> withoutDuplicates(
      List<EndpointCandidate> sorted, List<PassedOver> passedOver) {
    if (!hasDuplicates(sorted)) {
      return sorted;
    }
    List<EndpointCandidate> distinct = new ArrayList<>(sorted.size());
    for (EndpointCandidate candidate : sorted) {
      if (distinct.isEmpty() || !samePlace(candidate, distinct.getLast())) {
        distinct.add(candidate);
      } else {
        Endpoint endpoint = candidate.endpoint();
        passedOver.add(
            new PassedOver(
                candidate.slice(),
                candidate.index(),
                endpoint.address().toString(),
                endpoint.port(),
                Reason.DUPLICATE));
      }
    }
    return List.copyOf(distinct);
  }

  private static boolean hasDuplicates(List<EndpointCandidate> sorted) {
    for (int i = 1; i < sorted.size(); i++) {
      if (samePlace(sorted.get(i), sorted.get(i - 1))) {
        return true;
      }
    }
    return false;
  }

  private static boolean samePlace(EndpointCandidate one, EndpointCandidate other) {
    return one.endpoint().port() == other.endpoint().port()
        && one.endpoint().address().equals(other.endpoint().address());
  }

  /** That there are endpoints, but none of this port; empty where there are none at all. */
  private String mismatch() {
    Set<Ip> addresses = new HashSet<>();
    Set<EndpointSlice.Port> ports = new LinkedHashSet<>();
    for (SliceDraft slice : slices) {
      if (slice.family() == frontend.family()
          && slice.refused().size() < slice.slice().members().size()) {
        for (EndpointSlice.Member member : slice.slice().members()) {
          Ip address = member.address();
          if (address != null && SliceReader.isAllowed(address, frontend.family())) {
            addresses.add(address);
          }
        }
        ports.addAll(slice.slice().ports());
      }
    }
    ServicePortName wanted = frontend.name();
    if (addresses.isEmpty() || ports.stream().anyMatch(this::isThis)) {
      return "";
    }
    boolean otherProtocol = ports.stream().anyMatch(port -> port.name().equals(wanted.port()));
    List<String> there =
        ports.stream()
            .map(port ->
                (port.name().isEmpty() ? "" : brief(port.name()) + " ")
                    + port.port()
                    + "/"
                    + port.protocol())
            .sorted()
            .toList();
    return "its slices have "
        + Counted.of(addresses.size(), "endpoint")
        + ", but no "
        + (wanted.port().isEmpty() ? "unnamed " : "")
        + (otherProtocol ? wanted.protocol() + " " : "")
        + "port"
        + (wanted.port().isEmpty() ? "" : " called " + wanted.port())
        + (there.isEmpty()
            ? ""
            : " ("
                + String.join(", ", there.subList(0, Math.min(MOST_PORTS, there.size())))
                + (there.size() > MOST_PORTS ? ", …)" : ")"));
  }
}
