package dev.portolan.web.state;

import dev.portolan.core.cluster.NamespacedName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A service at a glance.
 *
 * @param why what is wrong, in a short sentence; empty where nothing is
 * @param ports such as {@code 80/TCP, 443/TCP}
 * @param addresses all virtual addresses, external ones too; the first is the cluster IP
 * @param endpoints how many there are; one that has several ports or families counts once
 * @param policy such as {@code external Local}; empty where endpoints of all nodes are used
 */
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
  /** The row for the page. */
  public Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("id", id.toString());
    tree.put("namespace", id.namespace());
    tree.put("name", id.name());
    tree.put("type", type);
    tree.put("state", state.toString());
    tree.put("why", why);
    tree.put("ports", ports);
    tree.put("address", addresses.isEmpty() ? "" : addresses.getFirst());
    tree.put("addresses", addresses);
    tree.put("endpoints", endpoints);
    tree.put("ready", ready);
    tree.put("terminating", terminating);
    tree.put("policy", policy);
    tree.put("affinity", affinity);
    return tree;
  }
}
