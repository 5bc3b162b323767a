package dev.portolan.brain;

import static dev.portolan.core.text.Quotes.brief;
import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.brain.ServiceDraft.PassedOver;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Reason;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.text.Counted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the slices of one service: which of their members can be endpoints of which port. */
final class SliceReader {
  private static final Comparator<EndpointCandidate> ORDER =
      Comparator.comparing((EndpointCandidate candidate) -> candidate.endpoint().address())
          .thenComparingInt(candidate -> candidate.endpoint().port())
          .thenComparing(EndpointCandidate.PREFERENCE);

  /** How many ports a warning names. */
  private static final int MOST_PORTS = 5;

  private final List<Addressed> slices = new ArrayList<>();
  private final Collection<Warning> warnings;

  /** A slice with those of its members whose addresses can be used. */
  private record Addressed(
      EndpointSlice slice, IpFamily family, List<Located> members, List<PassedOver> refused) {}

  private record Located(EndpointSlice.Member member, int index, Ip address) {}

  SliceReader(Collection<EndpointSlice> slices, Collection<Warning> warnings) {
    this.warnings = warnings;
    for (EndpointSlice slice : slices) {
      if (!slice.labelledHeadless() && slice.addressType() != AddressType.FQDN) {
        this.slices.add(address(slice));
      }
    }
  }

  /** The endpoints that could be chosen for a port, each address and port once, in their order. */
  ServiceDraft.Port port(Frontend frontend) {
    ServicePortName name = frontend.name();
    List<EndpointCandidate> found = new ArrayList<>();
    List<PassedOver> passedOver = new ArrayList<>();
    for (Addressed addressed : slices) {
      if (addressed.family != frontend.family()) {
        continue;
      }
      for (EndpointSlice.Port port : addressed.slice.ports()) {
        if (InputRules.isPort(port.port())
            && port.protocol() == name.protocol()
            && port.name().equals(name.port())) {
          passedOver.addAll(addressed.refused);
          for (Located located : addressed.members) {
            Endpoint endpoint = new Endpoint(located.address, port.port(), located.member.node());
            found.add(
                new EndpointCandidate(
                    endpoint, located.member, addressed.slice.name(), located.index));
          }
        }
      }
    }
    found.sort(ORDER);
    List<EndpointCandidate> candidates = withoutDuplicates(found, passedOver);
    String mismatch = found.isEmpty() && passedOver.isEmpty() ? mismatch(frontend) : "";
    return new ServiceDraft.Port(frontend, candidates, List.copyOf(passedOver), mismatch);
  }

  /** That there are endpoints, but none of this port; empty where there are none at all. */
  private String mismatch(Frontend frontend) {
    Set<Ip> addresses = new HashSet<>();
    Set<EndpointSlice.Port> ports = new LinkedHashSet<>();
    for (Addressed addressed : slices) {
      if (addressed.family == frontend.family() && !addressed.members.isEmpty()) {
        addressed.members.forEach(located -> addresses.add(located.address));
        ports.addAll(addressed.slice.ports());
      }
    }
    ServicePortName wanted = frontend.name();
    boolean unusable =
        ports.stream()
            .anyMatch(
                port -> port.name().equals(wanted.port()) && port.protocol() == wanted.protocol());
    if (addresses.isEmpty() || unusable) {
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

  private Addressed address(EndpointSlice slice) {
    IpFamily family = slice.addressType() == AddressType.IPV4 ? IpFamily.IPV4 : IpFamily.IPV6;
    for (int i = 0; i < slice.ports().size(); i++) {
      int port = slice.ports().get(i).port();
      if (!InputRules.isPort(port)) {
        String fault = port == 0 ? "has no number" : port + " is not between 1 and 65535";
        warn(slice, "ports[" + i + "].port", fault + "; ignored");
      }
    }
    List<Located> members = new ArrayList<>(slice.members().size());
    List<PassedOver> refused = new ArrayList<>();
    for (int i = 0; i < slice.members().size(); i++) {
      EndpointSlice.Member member = slice.members().get(i);
      String text = member.addresses().isEmpty() ? "" : member.addresses().getFirst();
      Ip ip = Ip.parse(text).orElse(null);
      String fault = fault(text, ip, family);
      if (ip != null && fault.isEmpty()) {
        members.add(new Located(member, i, ip));
      } else {
        warn(slice, "endpoints[" + i + "].addresses", fault + "; ignored");
        refused.add(new PassedOver(slice.name(), i, text, 0, Reason.ADDRESS_REFUSED));
      }
    }
    return new Addressed(slice, family, members, refused);
  }

  /** Why an address cannot be an endpoint's, or nothing. */
  private static String fault(String text, @Nullable Ip ip, IpFamily family) {
    if (text.isEmpty()) {
      return "has no address";
    }
    if (ip == null) {
      return quote(text) + " is not an IP address";
    }
    if (ip.family() != family) {
      return ip + " is not of addressType " + family;
    }
    return ip.isLoopback() || ip.isLinkLocal() || ip.isMulticast() || ip.isUnspecified()
        ? ip + " is not allowed for an endpoint"
        : "";
  }

  private static List<EndpointCandidate> withoutDuplicates(
      List<EndpointCandidate> sorted, List<PassedOver> passedOver) {
    List<EndpointCandidate> distinct = new ArrayList<>(sorted.size());
    for (EndpointCandidate candidate : sorted) {
      Endpoint endpoint = candidate.endpoint();
      if (!distinct.isEmpty()
          && distinct.getLast().endpoint().address().equals(endpoint.address())
          && distinct.getLast().endpoint().port() == endpoint.port()) {
        passedOver.add(
            new PassedOver(
                candidate.slice(),
                candidate.index(),
                endpoint.address().toString(),
                endpoint.port(),
                Reason.DUPLICATE));
      } else {
        distinct.add(candidate);
      }
    }
    return List.copyOf(distinct);
  }

  private void warn(EndpointSlice slice, String field, String text) {
    warnings.add(new Warning(slice.ref(), field, text));
  }
}
