package dev.portolan.brain;

import dev.portolan.brain.ServiceDraft.PassedOver;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.net.IpFamily;
import java.util.List;

/**
 * A slice, read and checked.
 *
 * @param candidates for each port of the slice, the endpoints that could be chosen, in their order;
 *     none where the port cannot be used
 * @param refused members whose addresses cannot be used
 */
record SliceDraft(
    EndpointSlice slice,
    List<List<EndpointCandidate>> candidates,
    List<PassedOver> refused,
    List<Warning> warnings) {
  /** The family of its addresses. */
  IpFamily family() {
    return slice.addressType() == AddressType.IPV4 ? IpFamily.IPV4 : IpFamily.IPV6;
  }
}
