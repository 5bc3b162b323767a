package dev.portolan.explain;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Where a pod is, as far as the EndpointSlices that refer to it say. */
public record PodAddresses(NamespacedName pod, String node, Map<IpFamily, Ip> addresses) {
  /** Looks for {@code pod}; throws with a sentence where no slice refers to it. */
  public static PodAddresses find(NamespacedName pod, ClusterImage cluster) {
    String target = "Pod " + pod;
    String node = "";
    Map<IpFamily, Ip> addresses = new EnumMap<>(IpFamily.class);
    for (Map.Entry<NamespacedName, EndpointSlice> entry : cluster.slices()) {
      for (EndpointSlice.Member member : entry.getValue().members()) {
        if (member.target().equals(target) && !member.addresses().isEmpty()) {
          Ip.parse(member.addresses().getFirst())
              .ifPresent(ip -> addresses.putIfAbsent(ip.family(), ip));
          node = node.isEmpty() ? member.node() : node;
        }
      }
    }
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException(
          "no EndpointSlice refers to a pod "
              + pod
              + ", so its address is not known; name the pod by its address (--client IP) and its"
              + " node (--node)");
    }
    return new PodAddresses(pod, node, Map.copyOf(addresses));
  }

  /** The node that the pod runs on; throws with a sentence where no slice says it. */
  public String nodeOrThrow() {
    if (node.isEmpty()) {
      throw new IllegalArgumentException(
          "the EndpointSlices do not say on which node the pod "
              + pod
              + " runs; name the node (--node)");
    }
    return node;
  }

  /** The pod's address in {@code family}. */
  Optional<Ip> address(IpFamily family) {
    return Optional.ofNullable(addresses.get(family));
  }
}
