package dev.portolan.analyze.policies;

import dev.portolan.analyze.AddressBook;
import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.Survey;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Source ranges that allow more, or less, than they seem to. */
public final class AllowedClients implements Check {
  private static final String FIELD = "spec.loadBalancerSourceRanges";

  private static final KnownMistake IGNORED =
      KnownMistake.warning("P0509", "loadBalancerSourceRanges on a type that ignores them")
          .seen("every client may connect")
          .remedy("use type LoadBalancer, or a NetworkPolicy")
          .because(
              """
              loadBalancerSourceRanges restrict the addresses of load balancers only. A service of \
              another type has none, so the ranges protect nothing. They never apply to cluster IPs, \
              external IPs and nodePorts, not even for type LoadBalancer.\
              """);

  private static final KnownMistake EVERYTHING =
      KnownMistake.info("P0512", "a source range that allows all clients")
          .seen("every client may connect; the other ranges mean nothing")
          .remedy("remove 0.0.0.0/0 or ::/0, or all ranges if all clients are meant")
          .because(
              """
              A range with prefix length 0 contains all addresses of its family. Next to it, other \
              ranges of that family have no effect.\
              """);

  private static final KnownMistake NOT_FROM_INSIDE =
      KnownMistake.info("P0513", "source ranges that contain no node and no Pod")
          .seen("connections from inside the cluster to the load balancer's address are dropped")
          .remedy(
              "let Pods use the service's name or cluster IP, or add the ranges of nodes and"
                  + " Pods")
          .because(
              """
              Pods and nodes that connect to the load balancer's address do not go through the load \
              balancer: their own node forwards them to an endpoint at once, and applies the source \
              ranges. None of the ranges contains an address of a node or a pod CIDR, so these \
              connections are dropped, which surprises those who test from inside.\
              """);

  private static final KnownMistake OTHER_FAMILY =
      KnownMistake.warning("P0514", "source ranges of one family for a dual-stack service")
          .seen("clients of the other family may all connect")
          .remedy("add ranges of the other family")
          .because(
              """
              Ranges apply to their own family. Where a service has load-balancer addresses of both \
              families and ranges of only one, the addresses of the other family are open to \
              everybody. kube-proxy does the same.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(IGNORED, EVERYTHING, NOT_FROM_INSIDE, OTHER_FAMILY);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    survey
        .cluster()
        .services()
        .forEach((name, service) -> {
          if (!service.sourceRanges().isEmpty()) {
            if (service.type() == ServiceType.LOAD_BALANCER) {
              look(survey, service, findings);
            } else {
              findings.accept(
                  IGNORED.in(
                      service.ref(),
                      FIELD,
                      "have no effect on a service of type " + service.type()));
            }
          }
        });
  }

  private static void look(Survey survey, Service service, Consumer<ClusterFinding> findings) {
    List<Cidr> ranges =
        service.sourceRanges().stream().flatMap(text -> Cidr.parse(text.strip()).stream()).toList();
    if (ranges.isEmpty()) {
      return;
    }
    Optional<Cidr> everything = ranges.stream().filter(Cidr::isEverything).findFirst();
    if (everything.isPresent()) {
      findings.accept(
          EVERYTHING.in(service.ref(), FIELD, everything.get() + " allows every client"));
    }
    List<Ip> addresses =
        service.ingress().stream()
            .filter(Service.Ingress::vip)
            .flatMap(ingress -> Ip.parse(ingress.ip()).stream())
            .toList();
    for (IpFamily family : IpFamily.values()) {
      Optional<Ip> open = addresses.stream().filter(ip -> ip.family() == family).findFirst();
      if (open.isPresent() && ranges.stream().noneMatch(range -> range.family() == family)) {
        findings.accept(
            OTHER_FAMILY.in(
                service.ref(),
                FIELD,
                "no range is " + family + ", so " + open.get() + " is open to every client"));
      }
    }
    boolean known =
        !survey.addresses().nodes().isEmpty() || !survey.addresses().podRanges().isEmpty();
    if (known && !addresses.isEmpty() && ranges.stream().noneMatch(r -> isInside(survey, r))) {
      findings.accept(
          NOT_FROM_INSIDE.in(service.ref(), FIELD, "no node and no Pod is in any of the ranges"));
    }
  }

  /** Whether something in the cluster may be in a range. */
  private static boolean isInside(Survey survey, Cidr range) {
    AddressBook book = survey.addresses();
    return book.nodes().keySet().stream().anyMatch(range::contains)
        || book.podRanges().stream()
            .anyMatch(pods -> range.contains(pods.cidr()) || pods.cidr().contains(range));
  }
}
