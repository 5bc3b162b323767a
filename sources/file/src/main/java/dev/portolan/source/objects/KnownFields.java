package dev.portolan.source.objects;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.text.Field;
import dev.portolan.text.Spelling;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The fields that Kubernetes has in the objects that are read, as far down as they are read: a
 * field with another name has no effect, which should be reported.
 */
final class KnownFields {
  private static final String ANY = "*";
  private static final String OBJECT = "apiVersion kind metadata";
  private static final String METADATA =
      "annotations clusterName creationTimestamp deletionGracePeriodSeconds deletionTimestamp"
          + " finalizers generateName generation labels managedFields name namespace"
          + " ownerReferences resourceVersion selfLink uid";

  static final KnownFields SERVICE =
      object("spec status")
          .with(
              "spec",
              "allocateLoadBalancerNodePorts clusterIP clusterIPs externalIPs externalName"
                  + " externalTrafficPolicy healthCheckNodePort internalTrafficPolicy ipFamilies"
                  + " ipFamilyPolicy loadBalancerClass loadBalancerIP loadBalancerSourceRanges"
                  + " ports publishNotReadyAddresses selector sessionAffinity"
                  + " sessionAffinityConfig topologyKeys trafficDistribution type")
          .with("spec.ports", "appProtocol name nodePort port protocol targetPort")
          .with("spec.sessionAffinityConfig", "clientIP")
          .with("spec.sessionAffinityConfig.clientIP", "timeoutSeconds")
          .with("status", "conditions loadBalancer")
          .with("status.loadBalancer", "ingress")
          .with("status.loadBalancer.ingress", "hostname ip ipMode ports");

  static final KnownFields ENDPOINT_SLICE =
      object("addressType endpoints ports")
          .with("ports", "appProtocol name port protocol")
          .with(
              "endpoints",
              "addresses conditions deprecatedTopology hints hostname nodeName targetRef zone")
          .with("endpoints.conditions", "ready serving terminating")
          .with("endpoints.hints", "forNodes forZones")
          .with("endpoints.hints.forZones", "name")
          .with("endpoints.hints.forNodes", "name")
          .with(
              "endpoints.targetRef",
              "apiVersion fieldPath kind name namespace resourceVersion uid");

  static final KnownFields NODE =
      object("spec status")
          .with("spec", "configSource externalID podCIDR podCIDRs providerID taints unschedulable")
          .with("status.addresses", "address type");

  static final KnownFields SERVICE_CIDR =
      object("spec status").with("spec", "cidrs").with("status", "conditions");

  private final Set<String> names;
  private final Map<String, KnownFields> below = new HashMap<>();

  private KnownFields(String names) {
    this.names = Set.of(names.split(" "));
  }

  private static KnownFields object(String names) {
    return new KnownFields(OBJECT + " " + names).with("metadata", METADATA);
  }

  /** Adds the names at a path; on the way to it, every name is taken. */
  private KnownFields with(String path, String known) {
    int dot = path.indexOf('.');
    if (dot < 0) {
      below.put(path, new KnownFields(known));
    } else {
      below
          .computeIfAbsent(path.substring(0, dot), key -> new KnownFields(ANY))
          .with(path.substring(dot + 1), known);
    }
    return this;
  }

  /**
   * Says which fields of {@code object} are not known, and which numbers may be meant otherwise.
   */
  void check(Field object, Warnings warnings) {
    if (object.isList()) {
      object.items().forEach(item -> check(item, warnings));
      return;
    }
    object
        .fields()
        .forEach((key, field) -> {
          KnownFields inside = below.get(key);
          if (!names.contains(ANY) && !names.contains(key)) {
            warnings.add(
                field.finding(
                    "unknown field; ignored"
                        + Spelling.nearest(key, names)
                            .map(name -> ", did you mean " + quote(name) + "?")
                            .orElse("")));
          } else if (inside != null) {
            inside.check(field, warnings);
          } else {
            field.octalNumber().ifPresent(warnings::add);
          }
        });
  }
}
