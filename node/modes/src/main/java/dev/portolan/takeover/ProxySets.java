package dev.portolan.takeover;

import dev.portolan.core.text.Counted;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.ipset.Ipset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sets of ipset that kube-proxy's mode ipvs made. */
record ProxySets(TakeoverOptions options, List<String> names) implements Leftover {
  /** There where ipset is in the kernel; asking over netlink would load it. */
  private static final Path MODULE = Path.of("/sys/module/ip_set");

  private static final int LONGEST_NAME = 31;
  private static final Set<String> NAMES =
      Stream.of(
              "LOOP-BACK",
              "CLUSTER-IP",
              "EXTERNAL-IP",
              "EXTERNAL-IP-LOCAL",
              "LOAD-BALANCER",
              "LOAD-BALANCER-FW",
              "LOAD-BALANCER-LOCAL",
              "LOAD-BALANCER-SOURCE-IP",
              "LOAD-BALANCER-SOURCE-CIDR",
              "NODE-PORT-TCP",
              "NODE-PORT-LOCAL-TCP",
              "NODE-PORT-UDP",
              "NODE-PORT-LOCAL-UDP",
              "NODE-PORT-SCTP-HASH",
              "NODE-PORT-LOCAL-SCTP-HASH",
              "HEALTH-CHECK-NODE-PORT",
              "IPVS-IPS")
          .flatMap(name -> Stream.of("KUBE-" + name, "KUBE-6-" + name))
          .map(name -> name.substring(0, Math.min(name.length(), LONGEST_NAME)))
          .collect(Collectors.toUnmodifiableSet());

  static List<ProxySets> find(TakeoverOptions options) {
    if (!Files.exists(MODULE)) {
      return List.of();
    }
    try (Ipset kernel = new Ipset(options.namespace())) {
      List<String> names = kernel.names().stream().filter(NAMES::contains).toList();
      return names.isEmpty() ? List.of() : List.of(new ProxySets(options, names));
    }
  }

  @Override
  public String describe() {
    return "ipset: " + Counted.of(names.size(), "set");
  }

  @Override
  public void remove() {
    List<NetlinkException> failures = new ArrayList<>();
    try (Ipset kernel = new Ipset(options.namespace())) {
      for (String name : names) {
        try {
          kernel.destroy(name);
        } catch (NetlinkException e) {
          failures.add(e);
        }
      }
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }
}
