package dev.portolan.backend.windows.hcn;

import dev.portolan.backend.windows.hcn.HcnCalls.Kind;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What HNS has, as values.
 *
 * <p>Every method throws an {@link HcnException} where HNS refuses, or cannot be reached.
 */
public final class HostNetworks {
  private static final String ALL = HcnJson.query(Optional.empty());

  private final HcnCalls calls;

  /** Through these calls. */
  public HostNetworks(HcnCalls calls) {
    this.calls = calls;
  }

  /** The version of HNS. */
  public HnsVersion version() {
    return HcnJson.version(calls.version());
  }

  /** The network of that name. */
  public Optional<HcnNetwork> network(String name) {
    String query = HcnJson.named(name);
    for (UUID id : HcnJson.ids(calls.enumerate(Kind.NETWORK, query))) {
      HcnNetwork network = HcnJson.network(calls.properties(Kind.NETWORK, id, ALL));
      if (network.name().equals(name)) {
        return Optional.of(network);
      }
    }
    return Optional.empty();
  }

  /** The identifiers of the endpoints of a network. */
  public List<UUID> endpointIds(UUID network) {
    return HcnJson.ids(calls.enumerate(Kind.ENDPOINT, HcnJson.ofNetwork(network)));
  }

  /** An endpoint; empty where it has gone. */
  public Optional<HcnEndpoint> endpoint(UUID id) {
    return ifThere(() -> HcnJson.endpoint(calls.properties(Kind.ENDPOINT, id, ALL)));
  }

  /** The endpoint of that name. */
  public Optional<HcnEndpoint> endpoint(String name) {
    return HcnJson.ids(calls.enumerate(Kind.ENDPOINT, HcnJson.named(name))).stream()
        .flatMap(id -> endpoint(id).stream())
        .filter(endpoint -> endpoint.name().equals(name))
        .findFirst();
  }

  /** Makes an endpoint, and returns it as HNS has it. */
  public HcnEndpoint create(HcnEndpoint endpoint) {
    return HcnJson.endpoint(
        calls.createEndpoint(endpoint.network(), endpoint.id(), HcnJson.of(endpoint), ALL));
  }

  /** Deletes an endpoint; one that has gone already is fine. */
  public void deleteEndpoint(UUID id) {
    delete(Kind.ENDPOINT, id);
  }

  /** The identifiers of all load balancers. */
  public List<UUID> loadBalancerIds() {
    return HcnJson.ids(calls.enumerate(Kind.LOAD_BALANCER, ALL));
  }

  /** A load balancer; empty if it is gone or has no port, as one that is only half created. */
  public Optional<HcnLoadBalancer> loadBalancer(UUID id) {
    return ifThere(() -> calls.properties(Kind.LOAD_BALANCER, id, ALL))
        .flatMap(HcnJson::loadBalancer);
  }

  /** Makes a load balancer, and returns it as HNS has it. */
  public HcnLoadBalancer create(HcnLoadBalancer balancer) {
    return made(balancer, calls.createLoadBalancer(balancer.id(), HcnJson.of(balancer), ALL));
  }

  /** Changes a load balancer in place, and returns it as HNS has it. */
  public HcnLoadBalancer modify(HcnLoadBalancer balancer) {
    return made(balancer, calls.modifyLoadBalancer(balancer.id(), HcnJson.of(balancer), ALL));
  }

  /**
   * Deletes a load balancer; one that has gone already is fine. Windows Server 2019 fails now and
   * then for no reason, so that it is tried twice.
   */
  public void deleteLoadBalancer(UUID id) {
    try {
      delete(Kind.LOAD_BALANCER, id);
    } catch (HcnException e) {
      if (e.failure() == HcnFailure.NOT_RUNNING) {
        throw e;
      }
      delete(Kind.LOAD_BALANCER, id);
    }
  }

  private static HcnLoadBalancer made(HcnLoadBalancer wanted, String answer) {
    return HcnJson.loadBalancer(answer).orElse(wanted);
  }

  private void delete(Kind kind, UUID id) {
    Optional<Boolean> _ =
        ifThere(() -> {
          calls.delete(kind, id);
          return true;
        });
  }

  private static <T> Optional<T> ifThere(Supplier<T> call) {
    try {
      return Optional.of(call.get());
    } catch (HcnException e) {
      if (e.failure() == HcnFailure.NOT_FOUND || e.failure() == HcnFailure.ENDPOINT_NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
