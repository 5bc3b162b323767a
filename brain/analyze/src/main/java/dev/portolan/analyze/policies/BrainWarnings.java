package dev.portolan.analyze.policies;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.Survey;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.cluster.Warning;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * What the brain itself says is wrong, under the code of what it is about. A warning that fits no
 * code has one for all of these, so that none is lost.
 */
public final class BrainWarnings implements Check {
  private static final KnownMistake PORT_NAME =
      KnownMistake.error("P0110", "the slices have no port of the service port's name")
          .seen("connections to this port are rejected")
          .remedy("give the port in the EndpointSlice the name of the service's port")
          .because(
              """
              A proxy finds the endpoints of a service port by the port's name and protocol: the name \
              in the slice must be that in the service, and both are empty for a single port without \
              a name. The number in the slice is the container's and does not matter for that. \
              Slices that Kubernetes makes fit by themselves, unless a targetPort is a word that no \
              Pod knows; those that are written by hand often have no name.\
              """);

  private static final KnownMistake ENDPOINT =
      KnownMistake.warning("P0112", "an endpoint or port of a slice that cannot be used")
          .seen("the endpoint gets no traffic")
          .remedy("correct or delete the entry of the EndpointSlice")
          .because(
              """
              An endpoint needs an address of the slice's addressType that packets can be sent to \
              (not loopback, link-local or multicast), and a slice's port needs a number. What has \
              not is ignored, and the rest of the slice is used.\
              """);

  private static final KnownMistake CLAIMED =
      KnownMistake.error("P0201", "two services claim one address and port")
          .seen("connections reach the service that keeps the address, never this one")
          .remedy("give one of the services another address or port")
          .because(
              """
              Only one service can answer at an address and port. A cluster IP wins over a \
              load-balancer IP, and that over an external IP; otherwise the older service wins, then \
              the smaller name. kube-proxy takes whichever it saw last, and may change its mind after \
              a restart.\
              """);

  private static final KnownMistake ADDRESS =
      KnownMistake.error("P0210", "an address of a service that cannot be used")
          .seen("the address is not served")
          .remedy("correct the address")
          .because(
              """
              An address of the service is not an IP address, is of a family that spec.ipFamilies \
              does not have, or is one that no service may have: loopback, multicast, unspecified, or \
              link-local. It is ignored, and the other addresses are served.\
              """);

  private static final KnownMistake PORT =
      KnownMistake.error("P0407", "a port of a service that cannot be used")
          .seen("the port is not served")
          .remedy("correct the port: names, and numbers with a protocol, must be unique")
          .because(
              """
              Each port needs a number from 1 to 65535, and a name of small letters, digits and '-' \
              that no other port of that protocol has. An API server refuses anything else; manifests \
              may have it. The port is ignored, and the others are served.\
              """);

  private static final KnownMistake NODE_PORT =
      KnownMistake.error("P0408", "two services claim one nodePort")
          .seen("connections reach the service that keeps the nodePort, never this one")
          .remedy("give one of the services another nodePort, or let Kubernetes choose")
          .because(
              """
              A nodePort belongs to one service per protocol. The older service keeps it, then the \
              one with the smaller name. An API server does not allow it; manifests and clusters put \
              together from backups may have it.\
              """);

  private static final KnownMistake TIMEOUT =
      KnownMistake.warning("P0507", "a session affinity timeout out of range")
          .seen("affinity lasts three hours, whatever was written")
          .remedy("write a timeoutSeconds from 1 to 86400")
          .because(
              """
              Kubernetes allows from 1 second to one day. Another value is taken as the default, \
              10800 seconds.\
              """);

  private static final KnownMistake NO_RANGE =
      KnownMistake.error("P0510", "no source range is valid")
          .seen("the load balancer's addresses are not served to any client")
          .remedy("write ranges such as 203.0.113.0/24")
          .because(
              """
              The service asks for source ranges, and none of them can be read. To serve everybody \
              would be the opposite of what was asked for, so the addresses are not served at all.\
              """);

  private static final KnownMistake RANGE =
      KnownMistake.warning("P0511", "a source range that cannot be read")
          .seen("clients of that range cannot connect")
          .remedy(
              "write the range as ADDRESS/BITS, such as 203.0.113.0/24; one address is"
                  + " 203.0.113.7/32")
          .because(
              """
              Ranges are CIDRs: an address, a slash, and how many bits of it count. The one that \
              cannot be read is ignored, and the others apply.\
              """);

  private static final KnownMistake BALANCING =
      KnownMistake.warning("P0515", "a balancing annotation that cannot be used")
          .seen("connections are spread as for any other service")
          .remedy("correct the annotation; docs/balancing.md has the forms")
          .because(
              """
              portolan.dev/balancing is random, maglev or maglev-address, and cannot be combined \
              with session affinity; portolan.dev/weights is a list such as \
              pod-1=10,node:worker-1=5,zone:a=2. One that cannot be read is as good as none.\
              """);

  private static final KnownMistake OTHER =
      KnownMistake.warning("P0901", "another warning of the decision")
          .seen("what the text says")
          .remedy("correct the field")
          .because(
              """
              Portolan's brain warns about this object when it decides, and no other code is about \
              it. The daemon writes the same sentence to its log.\
              """);

  private static final KnownMistake NAME =
      KnownMistake.error("P0902", "a service with an invalid name")
          .seen("the service is not served")
          .remedy("rename the service")
          .because(
              """
              The name and the namespace of a service must be DNS labels: up to 63 small letters, \
              digits and inner dashes. An API server refuses others; manifests may have them.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(
        PORT_NAME, ENDPOINT, CLAIMED, ADDRESS, PORT, NODE_PORT, TIMEOUT, NO_RANGE, RANGE, BALANCING,
        OTHER, NAME);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    for (ServicePlan plan : survey.plans()) {
      for (Warning warning : new LinkedHashSet<>(plan.warnings())) {
        findings.accept(mistake(warning).in(warning.object(), warning.field(), warning.text()));
      }
    }
  }

  private static KnownMistake mistake(Warning warning) {
    String field = warning.field();
    if (field.isEmpty() && warning.text().endsWith("which keeps it")) {
      return warning.text().startsWith("nodePort ") ? NODE_PORT : CLAIMED;
    }
    if (warning.object().kind().equals("EndpointSlice")) {
      return field.startsWith("endpoints[") || field.startsWith("ports[") ? ENDPOINT : OTHER;
    }
    if (field.equals(ServiceAnnotation.BALANCING.field())
        || field.equals(ServiceAnnotation.WEIGHTS.field())) {
      return BALANCING;
    }
    return switch (field.replaceFirst("\\[.*", "[")) {
      case "spec.ports" -> PORT_NAME;
      case "spec.ports[", "spec.healthCheckNodePort" -> PORT;
      case "spec.clusterIPs[", "spec.externalIPs[", "status.loadBalancer.ingress[" -> ADDRESS;
      case "spec.sessionAffinityConfig.clientIP.timeoutSeconds" -> TIMEOUT;
      case "spec.loadBalancerSourceRanges" -> NO_RANGE;
      case "spec.loadBalancerSourceRanges[" -> RANGE;
      case "metadata.name", "metadata.namespace" -> NAME;
      default -> OTHER;
    };
  }
}
