package dev.portolan.api;

import dev.portolan.api.localv1.IPSet;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.Collection;
import java.util.TreeSet;

/** Sets of addresses: each family apart, each text once, in the order of their bytes. */
final class IpSets {
  private IpSets() {}

  static IPSet of(Collection<Ip> ips) {
    TreeSet<String> v4 = new TreeSet<>();
    TreeSet<String> v6 = new TreeSet<>();
    for (Ip ip : ips) {
      (ip.family() == IpFamily.IPV4 ? v4 : v6).add(ip.toString());
    }
    return IPSet.newBuilder().addAllV4(v4).addAllV6(v6).build();
  }
}
