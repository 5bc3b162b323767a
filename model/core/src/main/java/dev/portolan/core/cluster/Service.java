package dev.portolan.core.cluster;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.text.Tree;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A Service, with the fields that can matter to a proxy.
 *
 * @param clusterIps as written; empty, {@code ""} and {@code "None"} mean that there is none
 * @param ipFamilies the families of {@code clusterIps}, in the same order; empty where not said
 * @param affinitySeconds how long a client stays with its endpoint; empty without session affinity
 * @param proxyName the label {@value #PROXY_NAME_LABEL}; empty where it is absent
 * @param labelledHeadless whether the label {@value #HEADLESS_LABEL} is there
 * @param created when the object was made; the older of two that claim one address keeps it
 * @param metadata labels and annotations, where they are kept; otherwise what the brain reads of
 *     them
 */
public record Service(
    NamespacedName name,
    ServiceMetadata metadata,
    @Tree.Named("metadata.labels[" + Service.PROXY_NAME_LABEL + "]") Optional<String> proxyName,
    @Tree.Named("metadata.labels[" + Service.HEADLESS_LABEL + "]") boolean labelledHeadless,
    @Tree.Named("metadata.creationTimestamp") Instant created,
    @Tree.Named("spec.type") ServiceType type,
    @Tree.Named("spec.clusterIPs") List<String> clusterIps,
    @Tree.Named("spec.ipFamilies") List<IpFamily> ipFamilies,
    @Tree.Named("spec.ports") List<Port> ports,
    @Tree.Named("spec.externalIPs") List<String> externalIps,
    @Tree.Named("spec.loadBalancerSourceRanges") List<String> sourceRanges,
    @Tree.Named("spec.internalTrafficPolicy") TrafficPolicy internalTrafficPolicy,
    @Tree.Named("spec.externalTrafficPolicy") TrafficPolicy externalTrafficPolicy,
    @Tree.Named("spec.sessionAffinityConfig.clientIP.timeoutSeconds") OptionalInt affinitySeconds,
    @Tree.Named("spec.healthCheckNodePort") int healthCheckNodePort,
    @Tree.Named("status.loadBalancer.ingress") List<Ingress> ingress) {
  /** Marks a service, or a slice, that is not for this proxy. */
  public static final String PROXY_NAME_LABEL = "service.kubernetes.io/service-proxy-name";

  /** Marks a service, or a slice, that has no virtual address. */
  public static final String HEADLESS_LABEL = "service.kubernetes.io/headless";

  /** How long affinity lasts where the object asks for it and gives no timeout. */
  public static final int DEFAULT_AFFINITY_SECONDS = 10800;

  /**
   * One port of the service.
   *
   * @param nodePort 0 where there is none
   * @param targetPort the number that the object names for endpoints, 0 where it names a word. Only
   *     programs without slices need it: what an endpoint's slice says decides
   */
  @Tree.Fields("port protocol targetPort nodePort")
  public record Port(String name, Protocol protocol, int port, int nodePort, int targetPort) {
    /** A port whose endpoints have the same number, as where an object says nothing of them. */
    public Port(String name, Protocol protocol, int port, int nodePort) {
      this(name, protocol, port, nodePort, port);
    }
  }

  /** A load balancer's address; {@code vip} says that packets arrive with it as destination. */
  public record Ingress(String ip, boolean vip) {
    /** As a person reads it. */
    @Override
    public String toString() {
      return vip ? ip : ip + " (ipMode Proxy)";
    }
  }

  public Service {
    clusterIps = OneAddress.copyOf(clusterIps);
    ipFamilies = List.copyOf(ipFamilies);
    ports = List.copyOf(ports);
    externalIps = List.copyOf(externalIps);
    ingress = List.copyOf(ingress);
    sourceRanges = List.copyOf(sourceRanges);
  }

  /** Starts a plain ClusterIP service. */
  public static Builder named(String namespace, String name) {
    return new Builder(new NamespacedName(namespace, name));
  }

  /** The address at a place of {@code clusterIps}, or null where there is none. */
  public @Nullable Ip clusterIp(int index) {
    return OneAddress.at(index, clusterIps);
  }

  /** The same service without external IPs. */
  public Service withoutExternalIps() {
    return externalIps.isEmpty() ? this : toBuilder().externalIps(List.of()).build();
  }

  /** The same service without labels, and with those annotations only that the brain reads. */
  public Service withoutMetadata() {
    return toBuilder().metadata(metadata.ours()).build();
  }

  /** Starts with all that this service has. */
  public Builder toBuilder() {
    Builder builder = new Builder(name);
    builder.metadata = metadata;
    builder.proxyName = proxyName;
    builder.labelledHeadless = labelledHeadless;
    builder.created = created;
    builder.type = type;
    builder.clusterIps = clusterIps;
    builder.ipFamilies = ipFamilies;
    builder.ports = ports;
    builder.externalIps = externalIps;
    builder.sourceRanges = sourceRanges;
    builder.internalTrafficPolicy = internalTrafficPolicy;
    builder.externalTrafficPolicy = externalTrafficPolicy;
    builder.affinitySeconds = affinitySeconds;
    builder.healthCheckNodePort = healthCheckNodePort;
    builder.ingress = ingress;
    return builder;
  }

  /**
   * Whether the service is for the proxy {@code name}; where that is empty, for kube-proxy, which
   * leaves alone what is labelled for another.
   */
  public boolean isFor(Optional<String> name) {
    return proxyName.equals(name);
  }

  /** Refers to this object. */
  public ObjectRef ref() {
    return ObjectRef.service(name);
  }

  /** Collects the fields of a Service; what is not set has the API server's default. */
  public static final class Builder {
    private final NamespacedName name;
    private ServiceType type = ServiceType.CLUSTER_IP;
    private List<String> clusterIps = List.of();
    private List<IpFamily> ipFamilies = List.of();
    private List<Port> ports = List.of();
    private List<String> externalIps = List.of();
    private List<Ingress> ingress = List.of();
    private List<String> sourceRanges = List.of();
    private TrafficPolicy internalTrafficPolicy = TrafficPolicy.CLUSTER;
    private TrafficPolicy externalTrafficPolicy = TrafficPolicy.CLUSTER;
    private OptionalInt affinitySeconds = OptionalInt.empty();
    private int healthCheckNodePort;
    private Optional<String> proxyName = Optional.empty();
    private boolean labelledHeadless;
    private Instant created = Instant.EPOCH;
    private ServiceMetadata metadata = ServiceMetadata.NONE;

    private Builder(NamespacedName name) {
      this.name = name;
    }

    /** {@code spec.type}. */
    public Builder type(ServiceType value) {
      type = value;
      return this;
    }

    /** {@code spec.clusterIPs}. */
    public Builder clusterIps(List<String> value) {
      clusterIps = value;
      return this;
    }

    /** {@code spec.ipFamilies}. */
    public Builder ipFamilies(List<IpFamily> value) {
      ipFamilies = value;
      return this;
    }

    /** {@code spec.ports}. */
    public Builder ports(List<Port> value) {
      ports = value;
      return this;
    }

    /** {@code spec.externalIPs}. */
    public Builder externalIps(List<String> value) {
      externalIps = value;
      return this;
    }

    /** {@code status.loadBalancer.ingress}. */
    public Builder ingress(List<Ingress> value) {
      ingress = value;
      return this;
    }

    /** {@code spec.loadBalancerSourceRanges}. */
    public Builder sourceRanges(List<String> value) {
      sourceRanges = value;
      return this;
    }

    /** {@code spec.internalTrafficPolicy}. */
    public Builder internalTrafficPolicy(TrafficPolicy value) {
      internalTrafficPolicy = value;
      return this;
    }

    /** {@code spec.externalTrafficPolicy}. */
    public Builder externalTrafficPolicy(TrafficPolicy value) {
      externalTrafficPolicy = value;
      return this;
    }

    /** {@code spec.sessionAffinityConfig.clientIP.timeoutSeconds} where affinity is asked for. */
    public Builder affinitySeconds(int value) {
      affinitySeconds = OptionalInt.of(value);
      return this;
    }

    /** {@code spec.healthCheckNodePort}. */
    public Builder healthCheckNodePort(int value) {
      healthCheckNodePort = value;
      return this;
    }

    /** The label {@value Service#PROXY_NAME_LABEL}; empty where it is absent. */
    public Builder proxyName(Optional<String> value) {
      proxyName = value;
      return this;
    }

    /** Labels and annotations. */
    public Builder metadata(ServiceMetadata value) {
      metadata = value;
      return this;
    }

    /** Whether the label {@value Service#HEADLESS_LABEL} is there. */
    public Builder labelledHeadless(boolean value) {
      labelledHeadless = value;
      return this;
    }

    /** {@code metadata.creationTimestamp}. */
    public Builder created(Instant value) {
      created = value;
      return this;
    }

    /** The service. */
    public Service build() {
      return new Service(
          name,
          metadata,
          proxyName,
          labelledHeadless,
          created,
          type,
          clusterIps,
          ipFamilies,
          ports,
          externalIps,
          sourceRanges,
          internalTrafficPolicy,
          externalTrafficPolicy,
          affinitySeconds,
          healthCheckNodePort,
          ingress);
    }
  }
}
