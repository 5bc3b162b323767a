package dev.portolan.brain;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.brain.ServiceDraft.PassedOver;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Reason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one slice: which of its members can be endpoints of which of its ports. */
final class SliceReader {
  private final EndpointSlice slice;
  private final List<PassedOver> refused = new ArrayList<>();
  private final List<Warning> warnings = new ArrayList<>();

  private SliceReader(EndpointSlice slice) {
    this.slice = slice;
  }

  /** Whether a slice can have endpoints at all. */
  static boolean isReadable(EndpointSlice slice) {
    return !slice.labelledHeadless() && slice.addressType() != AddressType.FQDN;
  }

  /** Reads {@code slice}, which is readable. */
  static SliceDraft read(EndpointSlice slice) {
    return new SliceReader(slice).draft();
  }

  private SliceDraft draft() {
    List<EndpointSlice.Port> ports = slice.ports();
    for (int i = 0; i < ports.size(); i++) {
      int port = ports.get(i).port();
      if (!InputRules.isPort(port)) {
        String fault = port == 0 ? "has no number" : port + " is not between 1 and 65535";
        warn("ports[" + i + "].port", fault + "; ignored");
      }
    }
    @Nullable Ip[] addresses = addresses();
    List<List<EndpointCandidate>> candidates = new ArrayList<>(ports.size());
    for (EndpointSlice.Port port : ports) {
      candidates.add(
          InputRules.isPort(port.port()) ? candidates(addresses, port.port()) : List.of());
    }
    return new SliceDraft(
        slice, List.copyOf(candidates), List.copyOf(refused), List.copyOf(warnings));
  }

  /** The address of each member, null where it cannot be used. */
  private @Nullable Ip[] addresses() {
    IpFamily family = slice.addressType() == AddressType.IPV4 ? IpFamily.IPV4 : IpFamily.IPV6;
    List<EndpointSlice.Member> members = slice.members();
    @Nullable Ip[] addresses = new Ip[members.size()];
    for (int i = 0; i < addresses.length; i++) {
      Ip ip = members.get(i).address();
      if (ip != null && isAllowed(ip, family)) {
        addresses[i] = ip;
      } else {
        List<String> texts = members.get(i).addresses();
        String text = texts.isEmpty() ? "" : texts.getFirst();
        warn("endpoints[" + i + "].addresses", fault(text, ip, family) + "; ignored");
        refused.add(new PassedOver(slice.name(), i, text, 0, Reason.ADDRESS_REFUSED));
      }
    }
    return addresses;
  }

  /** Whether an endpoint of a slice of {@code family} may have the address {@code ip}. */
  static boolean isAllowed(Ip ip, IpFamily family) {
    return ip.family() == family
        && !ip.isLoopback()
        && !ip.isLinkLocal()
        && !ip.isMulticast()
        && !ip.isUnspecified();
  }

  /** Why an address cannot be an endpoint's. */
  private static String fault(String text, @Nullable Ip ip, IpFamily family) {
    if (text.isEmpty()) {
      return "has no address";
    }
    if (ip == null) {
      return quote(text) + " is not an IP address";
    }
    return ip.family() == family
        ? ip + " is not allowed for an endpoint"
        : ip + " is not of addressType " + family;
  }

  private List<EndpointCandidate> candidates(@Nullable Ip[] addresses, int port) {
    List<EndpointCandidate> candidates = new ArrayList<>(addresses.length);
    for (int i = 0; i < addresses.length; i++) {
      Ip address = addresses[i];
      if (address != null) {
        EndpointSlice.Member member = slice.members().get(i);
        Endpoint endpoint = new Endpoint(address, port, member.node());
        candidates.add(new EndpointCandidate(endpoint, member, slice.name(), i));
      }
    }
    candidates.sort(EndpointCandidate.ORDER);
    return List.copyOf(candidates);
  }

  private void warn(String field, String text) {
    warnings.add(new Warning(slice.ref(), field, text));
  }
}
