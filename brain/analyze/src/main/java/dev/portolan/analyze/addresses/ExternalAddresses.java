package dev.portolan.analyze.addresses;

import dev.portolan.analyze.AddressBook;
import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.Survey;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Ip;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** External IPs that are the address of something in the cluster. */
public final class ExternalAddresses implements Check {
  private static final String CVE =
      """


      Every user who may write spec.externalIPs can take traffic that is meant for another address \
      (CVE-2020-8554). Kubernetes does not prevent it; restrict who may set the field with an \
      admission policy, or turn the feature off with the feature gate AllowServiceExternalIPs.\
      """;

  private static final KnownMistake CLUSTER_IP =
      KnownMistake.error("P0202", "an external IP is the cluster IP of another service")
          .seen("clients of that service may reach this one, if the ports differ from its own")
          .remedy("remove the address from spec.externalIPs")
          .because(
              """
              The address belongs to another service. For ports that the other service has, its \
              cluster IP wins with Portolan; kube-proxy gives no such promise. For its other ports \
              connections come to this service.\
              """
                  + CVE);

  private static final KnownMistake NODE_IP =
      KnownMistake.warning("P0203", "an external IP is the address of a node")
          .seen(
              "on every node, connections to that address and port go to this service, not to the"
                  + " node's own program")
          .remedy(
              "use a nodePort or a LoadBalancer; do not use a port that the node itself needs,"
                  + " such as 22, 6443 or 10250")
          .because(
              """
              This is a common way to publish a service without a load balancer, and it works. But \
              from then on the node's own programs cannot be reached at that port of that address: \
              the service's rules come first, on every node and for every client, including the \
              kubelet and kubectl. A wrong port can make a node unreachable.\
              """
                  + CVE);

  private static final KnownMistake POD_IP =
      KnownMistake.error("P0204", "an external IP is the address of a Pod")
          .seen("connections to that Pod reach this service instead")
          .remedy("remove the address from spec.externalIPs")
          .because(
              """
              The address is an endpoint's, or lies in the range that a node gives to its Pods. \
              Connections from Pods and nodes to that address and port go to this service.\
              """
                  + CVE);

  private static final KnownMistake SERVICE_RANGE =
      KnownMistake.error("P0205", "an external IP lies in the range of cluster IPs")
          .seen("connections work until the address is given to another service")
          .remedy("use an address outside the ServiceCIDRs")
          .because(
              """
              The API server allocates cluster IPs from the ServiceCIDRs and does not look at \
              external IPs and load-balancer IPs: it may give the same address to a new service at \
              any time. Also, routers outside usually do not know the way to that range.\
              """
                  + CVE);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(CLUSTER_IP, NODE_IP, POD_IP, SERVICE_RANGE);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    AddressBook book = survey.addresses();
    survey
        .cluster()
        .services()
        .forEach((name, service) -> {
          for (int i = 0; i < service.externalIps().size(); i++) {
            String field = "spec.externalIPs[" + i + "]";
            Ip.parse(service.externalIps().get(i))
                .flatMap(ip -> owner(service, ip, field, "the external IP " + ip, book))
                .ifPresent(findings);
          }
          for (int i = 0; i < service.ingress().size(); i++) {
            String field = "status.loadBalancer.ingress[" + i + "].ip";
            Ip.parse(service.ingress().get(i).ip())
                .filter(ip -> !book.clusterIps().containsKey(ip) && book.node(ip) == null)
                .flatMap(ip -> range(service, ip, field, "the load-balancer IP " + ip, book))
                .ifPresent(findings);
          }
        });
  }

  private static Optional<ClusterFinding> owner(
      Service service, Ip ip, String field, String what, AddressBook book) {
    ObjectRef other = book.clusterIps().get(ip);
    if (other != null) {
      return other.equals(service.ref())
          ? Optional.empty()
          : Optional.of(
              CLUSTER_IP.in(service.ref(), field, what + " is the cluster IP of " + other));
    }
    ObjectRef node = book.node(ip);
    if (node != null) {
      return Optional.of(NODE_IP.in(service.ref(), field, what + " is an address of " + node));
    }
    ObjectRef slice = book.endpoints().get(ip);
    if (slice != null) {
      return Optional.of(POD_IP.in(service.ref(), field, what + " is an endpoint in " + slice));
    }
    return range(service, ip, field, what, book);
  }

  private static Optional<ClusterFinding> range(
      Service service, Ip ip, String field, String what, AddressBook book) {
    return AddressBook.in(book.podRanges(), ip)
        .map(range ->
            POD_IP.in(
                service.ref(),
                field,
                what + " lies in " + range.cidr() + ", the Pods of " + range.owner()))
        .or(() ->
            AddressBook.in(book.serviceRanges(), ip)
                .map(range ->
                    SERVICE_RANGE.in(
                        service.ref(),
                        field,
                        what + " lies in " + range.cidr() + " of " + range.owner())));
  }
}
