package dev.portolan.config;

import dev.portolan.brain.FamilyPolicy;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The node's addresses and the families that it serves: {@code nodeIPOverride} and {@code
 * ipFamilyPolicy} at work.
 *
 * @param primary the family of the primary address
 * @param byFamily an address for each family that is served
 */
public record NodeIps(IpFamily primary, Map<IpFamily, Ip> byFamily) {
  private static final Map<IpFamily, Ip> LOOPBACK =
      Map.of(IpFamily.IPV4, Ip.of("127.0.0.1"), IpFamily.IPV6, Ip.of("::1"));

  public NodeIps {
    byFamily = Collections.unmodifiableMap(new EnumMap<>(byFamily));
  }

  /**
   * Decides.
   *
   * <p>One override replaces the primary address, and the other family still comes from the Node;
   * two overrides replace both. Without a policy both families are served, and a missing address is
   * the loopback one, as in kube-proxy.
   *
   * @param fromNode the addresses in the Node object, the primary one first; may be empty
   */
  public static NodeIps decide(ProxyConfiguration configuration, List<Ip> fromNode) {
    List<Ip> addresses = new ArrayList<>();
    configuration.nodeIPOverride().forEach(text -> Ip.parse(text).ifPresent(addresses::add));
    addresses.addAll(fromNode);
    IpFamily primary = addresses.isEmpty() ? IpFamily.IPV4 : addresses.getFirst().family();
    FamilyPolicy policy =
        FamilyPolicy.parse(configuration.ipFamilyPolicy()).orElse(FamilyPolicy.BOTH);
    if (policy.isBrokenBy(addresses)) {
      throw ConfigException.of(
          "ipFamilyPolicy",
          "RequireDualStack, but this node has "
              + (addresses.isEmpty() ? "no address" : "only an address of family " + primary)
              + "; assign it an address of each family, set both in nodeIPOverride, or use"
              + " PreferDualStack");
    }
    Map<IpFamily, Ip> known = new EnumMap<>(IpFamily.class);
    addresses.forEach(ip -> known.putIfAbsent(ip.family(), ip));
    LOOPBACK.forEach(known::putIfAbsent);
    known.keySet().retainAll(policy.served(addresses));
    return new NodeIps(primary, known);
  }
}
