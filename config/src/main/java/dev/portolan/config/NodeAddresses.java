package dev.portolan.config;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The node's addresses and the families that it serves: {@code nodeIPOverride} and {@code
 * ipFamilyPolicy} at work.
 *
 * @param primary the family of the primary address
 * @param byFamily an address for each family that is served
 */
public record NodeAddresses(IpFamily primary, Map<IpFamily, Ip> byFamily) {
  private static final Map<IpFamily, Ip> LOOPBACK =
      Map.of(IpFamily.IPV4, Ip.of("127.0.0.1"), IpFamily.IPV6, Ip.of("::1"));

  public NodeAddresses {
    byFamily = Collections.unmodifiableMap(new EnumMap<>(byFamily));
  }

  /**
   * Decides.
   *
   * <p>One override replaces the primary address, and the other family still comes from the Node;
   * two overrides replace both. Without a policy both families are served, a missing address being
   * the loopback one, as kube-proxy has it.
   *
   * @param fromNode the addresses in the Node object, the primary one first; may be empty
   */
  public static NodeAddresses decide(ProxyConfiguration configuration, List<Ip> fromNode) {
    Map<IpFamily, Ip> known = new EnumMap<>(IpFamily.class);
    List<Ip> override =
        configuration.nodeIPOverride().stream().flatMap(text -> Ip.parse(text).stream()).toList();
    override.forEach(ip -> known.putIfAbsent(ip.family(), ip));
    fromNode.forEach(ip -> known.putIfAbsent(ip.family(), ip));
    IpFamily primary =
        Optional.of(override.isEmpty() ? fromNode : override)
            .filter(ips -> !ips.isEmpty())
            .map(ips -> ips.getFirst().family())
            .orElse(IpFamily.IPV4);
    switch (configuration.ipFamilyPolicy()) {
      case "SingleStack" -> known.keySet().retainAll(List.of(primary));
      case "RequireDualStack" -> {
        if (known.size() < 2) {
          throw ConfigException.of(
              "ipFamilyPolicy",
              "RequireDualStack, but this node has "
                  + (known.isEmpty() ? "no address" : "only an address of family " + primary)
                  + "; assign it an address of each family, set both in nodeIPOverride, or use"
                  + " PreferDualStack");
        }
      }
      case "PreferDualStack" -> {}
      default -> LOOPBACK.forEach(known::putIfAbsent);
    }
    known.computeIfAbsent(primary, LOOPBACK::get);
    return new NodeAddresses(primary, known);
  }

  /** The primary address. */
  public Ip primaryAddress() {
    return Optional.ofNullable(byFamily.get(primary)).orElseThrow();
  }
}
