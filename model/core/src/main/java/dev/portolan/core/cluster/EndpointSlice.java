package dev.portolan.core.cluster;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.text.Tree;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An EndpointSlice: some of the endpoints of one service, of one address type.
 *
 * @param serviceName the label {@value #SERVICE_NAME_LABEL}; empty where absent: the slice belongs
 *     to no service
 * @param labelledHeadless whether the label {@value Service#HEADLESS_LABEL} is there
 * @param triggerTime when the change that led to this slice happened, where the annotation {@value
 *     #TRIGGER_TIME_ANNOTATION} says so
 */
@Tree.Fields("serviceName labelledHeadless addressType ports")
public record EndpointSlice(
    NamespacedName name,
    @Tree.Named("metadata.labels[" + EndpointSlice.SERVICE_NAME_LABEL + "]") String serviceName,
    AddressType addressType,
    List<Port> ports,
    List<Member> members,
    @Tree.Named("metadata.labels[" + Service.HEADLESS_LABEL + "]") boolean labelledHeadless,
    @Nullable Instant triggerTime) {
  /** Says which service a slice belongs to. */
  public static final String SERVICE_NAME_LABEL = "kubernetes.io/service-name";

  /** Says when the change happened that a slice's newest version reflects. */
  public static final String TRIGGER_TIME_ANNOTATION =
      "endpoints.kubernetes.io/last-change-trigger-time";

  /** What the addresses of a slice are. */
  public enum AddressType {
    IPV4("IPv4"),
    IPV6("IPv6"),
    FQDN("FQDN");

    private final String label;

    AddressType(String label) {
      this.label = label;
    }

    /** The type as Kubernetes writes it. */
    @Override
    public String toString() {
      return label;
    }
  }

  /** A port of every endpoint in the slice; 0 where the slice names no number. */
  public record Port(String name, Protocol protocol, int port) {}

  /** What is known of an endpoint's health. */
  public record Conditions(boolean ready, boolean serving, boolean terminating) {
    /** An endpoint in good health. */
    public static final Conditions READY = new Conditions(true, true, false);

    /** Conditions as the API has them, where null means unknown: taken for healthy, and staying. */
    public static Conditions of(
        @Nullable Boolean ready, @Nullable Boolean serving, @Nullable Boolean terminating) {
      return new Conditions(
          ready == null || ready, serving == null || serving, terminating != null && terminating);
    }
  }

  /**
   * One endpoint of the slice.
   *
   * @param addresses as written; the first one counts
   * @param node the node that it runs on; empty where not said
   * @param zone the zone that it runs in; empty where not said
   * @param zoneHints the zones that should use it; empty without a hint
   * @param nodeHints the nodes that should use it; empty without a hint
   * @param target what stands behind it, as in {@code Pod shop/cart-7d4b9}; empty where not said
   */
  @Tree.Fields("conditions node zone target zoneHints nodeHints")
  public record Member(
      List<String> addresses,
      Conditions conditions,
      @Tree.Named("nodeName") String node,
      String zone,
      @Tree.Named("hints.forZones") List<String> zoneHints,
      @Tree.Named("hints.forNodes") List<String> nodeHints,
      @Tree.Named("targetRef") String target) {
    public Member {
      addresses = OneAddress.copyOf(addresses);
      zoneHints = List.copyOf(zoneHints);
      nodeHints = List.copyOf(nodeHints);
    }

    /** The same endpoint in other health. */
    public Member with(Conditions other) {
      return new Member(addresses, other, node, zone, zoneHints, nodeHints, target);
    }

    /** The address that counts, or null where there is none or its text is not an address. */
    public @Nullable Ip address() {
      return OneAddress.at(0, addresses);
    }
  }

  public EndpointSlice {
    ports = List.copyOf(ports);
    members = List.copyOf(members);
  }

  /** The same slice with other members. */
  public EndpointSlice with(List<Member> others) {
    return new EndpointSlice(
        name, serviceName, addressType, ports, others, labelledHeadless, triggerTime);
  }

  /** The service that the slice belongs to, if any. */
  public Optional<NamespacedName> service() {
    return serviceName.isEmpty()
        ? Optional.empty()
        : Optional.of(new NamespacedName(name.namespace(), serviceName));
  }

  /** Refers to this object. */
  public ObjectRef ref() {
    return ObjectRef.slice(name);
  }
}
