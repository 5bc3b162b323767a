package dev.portolan.web.state;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.text.Tree;
import java.util.List;

/**
 * A service at a glance.
 *
 * @param why what is wrong, in a short sentence; empty where nothing is
 * @param ports such as {@code 80/TCP, 443/TCP}
 * @param addresses all virtual addresses, external ones too; the first is the cluster IP
 * @param endpoints how many there are; one that has several ports or families counts once
 * @param policy such as {@code external Local}; empty where endpoints of all nodes are used
 */
@Tree.Fields(
    "id parts type state why ports address addresses endpoints ready terminating policy"
        + " affinity")
public record ServiceRow(
    NamespacedName id,
    String type,
    ServiceState state,
    String why,
    String ports,
    List<String> addresses,
    int endpoints,
    int ready,
    int terminating,
    String policy,
    boolean affinity) {
  @Tree.Inline
  NamespacedName parts() {
    return id;
  }

  String address() {
    return addresses.isEmpty() ? "" : addresses.getFirst();
  }
}
