package dev.portolan.analyze.addresses;

import dev.portolan.analyze.AddressBook;
import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.Survey;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Ip;
import java.util.List;
import java.util.function.Consumer;

/** Cluster IPs that no ServiceCIDR has. */
public final class ClusterIpRanges implements Check {
  private static final KnownMistake OUTSIDE =
      KnownMistake.warning("P0206", "a cluster IP lies in no ServiceCIDR")
          .seen("the service works; what treats the ranges specially does not know the address")
          .remedy(
              "add a ServiceCIDR with the range, or make the service again to get a new address")
          .because(
              """
              The cluster's ServiceCIDRs do not contain the address. Usually the range was changed \
              while services kept their addresses. A proxy serves the address all the same, but \
              network policies, egress gateways and routes that are configured with the range leave \
              it out, and the API server's repair loop reports it.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(OUTSIDE);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    List<AddressBook.Range> ranges = survey.addresses().serviceRanges();
    survey
        .cluster()
        .services()
        .forEach((name, service) -> {
          for (int i = 0; i < service.clusterIps().size(); i++) {
            Ip ip = Ip.parse(service.clusterIps().get(i)).orElse(null);
            if (ip != null && isOutside(ip, ranges)) {
              findings.accept(
                  OUTSIDE.in(service.ref(), field(service, i), ip + " lies in no ServiceCIDR"));
            }
          }
        });
  }

  private static boolean isOutside(Ip ip, List<AddressBook.Range> ranges) {
    return ranges.stream().anyMatch(range -> range.cidr().family() == ip.family())
        && AddressBook.in(ranges, ip).isEmpty();
  }

  private static String field(Service service, int index) {
    return service.clusterIps().size() == 1 ? "spec.clusterIP" : "spec.clusterIPs[" + index + "]";
  }
}
