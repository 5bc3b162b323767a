package dev.portolan.core.brain;

import static dev.portolan.core.cluster.Warning.quote;

import dev.portolan.core.brain.ServiceDraft.PassedOver;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.ServicePortName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the slices of one service: which of their members can be endpoints of which port. */
final class SliceReader {
  private static final Comparator<Candidate> ORDER =
      Comparator.comparing((Candidate candidate) -> candidate.endpoint().address())
          .thenComparingInt(candidate -> candidate.endpoint().port())
          .thenComparing(Candidate.PREFERENCE);

  private final List<Addressed> slices = new ArrayList<>();
  private final Set<PassedOver> passedOver = new HashSet<>();
  private final Collection<Warning> warnings;

  /** A slice with those of its members whose addresses can be used. */
  private record Addressed(EndpointSlice slice, IpFamily family, List<Located> members) {}

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
  List<Candidate> candidates(ServicePortName name, IpFamily family) {
    List<Candidate> found = new ArrayList<>();
    for (Addressed addressed : slices) {
      if (addressed.family != family) {
        continue;
      }
      for (EndpointSlice.Port port : addressed.slice.ports()) {
        if (InputRules.isPort(port.port())
            && port.protocol() == name.protocol()
            && port.name().equals(name.port())) {
          for (Located located : addressed.members) {
            Endpoint endpoint = new Endpoint(located.address, port.port(), located.member.node());
            found.add(
                new Candidate(endpoint, located.member, addressed.slice.name(), located.index));
          }
        }
      }
    }
    found.sort(ORDER);
    return withoutDuplicates(found);
  }

  /** The members that cannot be endpoints of any port. */
  List<PassedOver> passedOver() {
    return passedOver.stream()
        .sorted(Comparator.comparing(PassedOver::slice).thenComparingInt(PassedOver::index))
        .toList();
  }

  private Addressed address(EndpointSlice slice) {
    IpFamily family = slice.addressType() == AddressType.IPV4 ? IpFamily.IPV4 : IpFamily.IPV6;
    for (int i = 0; i < slice.ports().size(); i++) {
      int port = slice.ports().get(i).port();
      if (!InputRules.isPort(port)) {
        warn(slice, "ports[" + i + "].port", port + " is not between 1 and 65535; ignored");
      }
    }
    List<Located> members = new ArrayList<>(slice.members().size());
    for (int i = 0; i < slice.members().size(); i++) {
      EndpointSlice.Member member = slice.members().get(i);
      String text = member.addresses().isEmpty() ? "" : member.addresses().getFirst();
      Ip ip = Ip.parse(text).orElse(null);
      String fault = fault(text, ip, family);
      if (ip != null && fault.isEmpty()) {
        members.add(new Located(member, i, ip));
      } else {
        warn(slice, "endpoints[" + i + "].addresses", fault + "; ignored");
        passedOver.add(new PassedOver(slice.name(), i, text, Reason.ADDRESS_REFUSED));
      }
    }
    return new Addressed(slice, family, members);
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
        ? ip + " may not be an endpoint"
        : "";
  }

  private List<Candidate> withoutDuplicates(List<Candidate> sorted) {
    List<Candidate> distinct = new ArrayList<>(sorted.size());
    for (Candidate candidate : sorted) {
      Endpoint endpoint = candidate.endpoint();
      if (!distinct.isEmpty()
          && distinct.getLast().endpoint().address().equals(endpoint.address())
          && distinct.getLast().endpoint().port() == endpoint.port()) {
        passedOver.add(
            new PassedOver(
                candidate.slice(), candidate.index(), endpoint.toString(), Reason.DUPLICATE));
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
