package dev.portolan.config.validation;

import dev.portolan.core.net.IpFamily;
import java.util.List;

/**
 * What the start-up checks must know of the cluster and the node.
 *
 * @param primary the family of the node's primary address
 * @param dualStack whether this node can serve both families
 * @param podCidrs the node's {@code spec.podCIDRs}
 */
public record ClusterShape(IpFamily primary, boolean dualStack, List<String> podCidrs) {
  public ClusterShape {
    podCidrs = List.copyOf(podCidrs);
  }

  /** The other family. */
  IpFamily other() {
    return primary == IpFamily.IPV4 ? IpFamily.IPV6 : IpFamily.IPV4;
  }

  @Override
  public String toString() {
    return primary + (dualStack ? "-primary" : "-only");
  }
}
