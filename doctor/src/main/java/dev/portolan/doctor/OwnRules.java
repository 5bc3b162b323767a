package dev.portolan.doctor;

import dev.portolan.backend.iptables.Chains;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.nftables.Nftables;
import java.util.Optional;

/** Which mode's rules a kernel has. */
final class OwnRules {
  private OwnRules() {}

  /** The mode whose rules are there; those of mode iptables may be a kube-proxy's. */
  static Optional<ProxyMode> mode(Subject subject) {
    try (Nftables kernel = new Nftables(subject.namespace())) {
      for (AddressFamily family : AddressFamily.values()) {
        if (kernel.tables(family).contains(subject.table())) {
          return Optional.of(ProxyMode.NFTABLES);
        }
      }
      boolean chains =
          kernel.chains(AddressFamily.IPV4, Chains.NAT).stream()
              .anyMatch(chain -> chain.name().equals(Chains.SERVICES));
      return chains ? Optional.of(ProxyMode.IPTABLES) : Optional.empty();
    } catch (NetlinkException e) {
      return Optional.empty();
    }
  }
}
