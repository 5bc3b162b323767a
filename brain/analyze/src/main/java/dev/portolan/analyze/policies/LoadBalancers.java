package dev.portolan.analyze.policies;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.KnownMistake.Need;
import dev.portolan.analyze.Survey;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import java.util.List;
import java.util.function.Consumer;

/** Load balancers without an address, and those that keep their traffic to themselves. */
public final class LoadBalancers implements Check {
  private static final KnownMistake PENDING =
      KnownMistake.warning("P0207", "a load balancer without an address")
          .seen("clients outside have no address to connect to; kubectl shows <pending>")
          .remedy(
              "see the events of the Service; install a load-balancer controller, such as"
                  + " MetalLB, where no cloud provides one")
          .needing(Need.WHOLE_SERVICES)
          .because(
              """
              The service is of type LoadBalancer, but no controller has reported an address or a \
              host name in status.loadBalancer.ingress. A new load balancer takes some minutes. If it \
              stays like this, no controller feels responsible (spec.loadBalancerClass), its quota is \
              used up, or there is none. Cluster IP and nodePorts work meanwhile.

              Services without a cluster IP, as in manifests that are to be applied, are not judged.\
              """);

  private static final KnownMistake PROXIED =
      KnownMistake.info("P0208", "a load balancer with ipMode Proxy")
          .seen("Pods that use its address go through the load balancer too")
          .remedy(
              "none needed; use the cluster IP inside the cluster, and restrict clients at the"
                  + " load balancer")
          .because(
              """
              With ipMode Proxy the load balancer asks nodes to leave its address alone: connections \
              from inside the cluster leave it, pass the load balancer and come back through a \
              nodePort. That keeps TLS termination and PROXY protocol working, and costs a detour. \
              Nodes cannot apply loadBalancerSourceRanges to such an address; the load balancer has to.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(PENDING, PROXIED);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    survey
        .cluster()
        .services()
        .forEach((name, service) -> {
          if (service.type() == ServiceType.LOAD_BALANCER) {
            look(survey, service, findings);
          }
        });
  }

  private static void look(Survey survey, Service service, Consumer<ClusterFinding> findings) {
    boolean pending =
        survey.workloads().service(service.name()).filter(whole -> !whole.hasIngress()).isPresent();
    if (pending && !service.clusterIps().isEmpty()) {
      findings.accept(
          PENDING.in(service.ref(), "status.loadBalancer.ingress", "there is no address yet"));
    }
    for (int i = 0; i < service.ingress().size(); i++) {
      if (!service.ingress().get(i).vip()) {
        findings.accept(
            PROXIED.in(
                service.ref(),
                "status.loadBalancer.ingress[" + i + "].ipMode",
                service.ingress().get(i).ip()
                    + " is left to the load balancer"
                    + (service.sourceRanges().isEmpty()
                        ? ""
                        : ", and so is applying loadBalancerSourceRanges")));
      }
    }
  }
}
