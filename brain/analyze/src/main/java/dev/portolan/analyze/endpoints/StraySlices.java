package dev.portolan.analyze.endpoints;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.KnownMistake.Need;
import dev.portolan.analyze.Survey;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.List;
import java.util.function.Consumer;

/** EndpointSlices that no service uses. */
public final class StraySlices implements Check {
  private static final String LABEL_FIELD =
      "metadata.labels[" + EndpointSlice.SERVICE_NAME_LABEL + "]";

  private static final KnownMistake UNLABELLED =
      KnownMistake.warning("P0106", "an EndpointSlice belongs to no service")
          .seen("its endpoints get no traffic")
          .remedy("add the label kubernetes.io/service-name, or delete the slice")
          .because(
              """
              A proxy finds the slices of a service by their label kubernetes.io/service-name. The \
              name of a slice and its ownerReferences mean nothing to it. A slice without the label \
              is read by no proxy.\
              """);

  private static final KnownMistake NO_SERVICE =
      KnownMistake.warning("P0107", "an EndpointSlice belongs to a service that does not exist")
          .seen("its endpoints get no traffic")
          .remedy(
              "correct the label kubernetes.io/service-name, create the Service, or delete the"
                  + " slice")
          .needing(Need.WHOLE_SERVICES)
          .because(
              """
              The label kubernetes.io/service-name names a service that the namespace of the slice \
              does not have. Slices that Kubernetes makes are deleted with their service, so this one \
              was written by a person or another controller, has a mistyped label, or is in the wrong \
              namespace: a slice belongs to a service of its own namespace only. A brain and a recording \
              may lack services that no proxy serves, so this is not looked for there.\
              """);

  private static final KnownMistake OTHER_FAMILY =
      KnownMistake.warning("P0109", "an EndpointSlice of a family that its service lacks")
          .seen("its endpoints get no traffic")
          .remedy(
              "make the service dual-stack (spec.ipFamilyPolicy: PreferDualStack), or delete the"
                  + " slice")
          .because(
              """
              Connections to an IPv4 cluster IP go to IPv4 endpoints, and those to an IPv6 cluster \
              IP to IPv6 endpoints; a proxy does not translate between families. This slice has \
              endpoints of a family for which the service has no cluster IP.\
              """);

  private static final KnownMistake HOST_NAMES =
      KnownMistake.warning("P0111", "an EndpointSlice with host names")
          .seen("its endpoints get no traffic")
          .remedy(
              "write addresses with addressType IPv4 or IPv6, or use a Service of type"
                  + " ExternalName")
          .because(
              """
              A slice with addressType FQDN has host names. Neither kube-proxy nor Portolan resolves \
              names, so they ignore such slices; the type exists for other programs and is deprecated.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(UNLABELLED, NO_SERVICE, OTHER_FAMILY, HOST_NAMES);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    survey.cluster().slices().forEach((name, slice) -> look(survey, slice, findings));
  }

  private static void look(Survey survey, EndpointSlice slice, Consumer<ClusterFinding> findings) {
    NamespacedName owner = slice.service().orElse(null);
    if (owner == null) {
      findings.accept(
          UNLABELLED.in(
              slice.ref(),
              "metadata.labels",
              "has no label "
                  + EndpointSlice.SERVICE_NAME_LABEL
                  + ", so it belongs to no service"));
      return;
    }
    Service service = survey.cluster().services().get(owner);
    if (service == null) {
      if (survey.workloads().knows(NO_SERVICE.need())) {
        findings.accept(
            NO_SERVICE.in(
                slice.ref(),
                LABEL_FIELD,
                "belongs to Service " + owner + ", which does not exist"));
      }
    } else if (slice.addressType() == AddressType.FQDN) {
      findings.accept(
          HOST_NAMES.in(slice.ref(), "addressType", "has host names (FQDN), which are ignored"));
    } else if (!slice.members().isEmpty() && !hasFamily(service, family(slice))) {
      findings.accept(
          OTHER_FAMILY.in(
              slice.ref(),
              "addressType",
              "is " + family(slice) + ", but Service " + owner + " has no such cluster IP"));
    }
  }

  private static IpFamily family(EndpointSlice slice) {
    return slice.addressType() == AddressType.IPV4 ? IpFamily.IPV4 : IpFamily.IPV6;
  }

  /** Whether it has a cluster IP of that family, or none at all. */
  private static boolean hasFamily(Service service, IpFamily family) {
    List<Ip> ips = service.clusterIps().stream().flatMap(text -> Ip.parse(text).stream()).toList();
    return ips.isEmpty() || ips.stream().anyMatch(ip -> ip.family() == family);
  }
}
