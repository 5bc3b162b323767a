package dev.portolan.packets;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/**
 * Changes a cluster at random, the same way for the same seed: services of a namespace of its own
 * come and go, their endpoints too, their policies change. Everything else is left alone, so that
 * users of other services must not notice.
 */
public final class Churn {
  /** The namespace in which everything changes. */
  public static final String NAMESPACE = "churn";

  private static final int MOST_SERVICES = 20;
  private static final Conditions TERMINATING = new Conditions(false, true, true);

  private final Random random;
  private final Set<Integer> services = new TreeSet<>();

  /** How a run went: what the {@link Vigil} saw meanwhile. */
  public record Report(long probes, List<Vigil.Failure> failures) {
    public Report {
      failures = List.copyOf(failures);
    }
  }

  /** Starts with none of its services there. */
  public Churn(long seed) {
    this.random = new Random(seed);
  }

  /**
   * Applies {@code steps} changes to {@code node} while the usual services are watched.
   *
   * @param disturbance called before each step with its number, for example to flush a table or
   *     restart a process there
   */
  public Report run(Lab lab, FollowingNode node, int steps, IntConsumer disturbance) {
    return run(lab, node, Vigil.usual(), steps, disturbance);
  }

  /** The same while the services of {@code watched} are. */
  public Report run(
      Lab lab, FollowingNode node, List<Packet> watched, int steps, IntConsumer disturbance) {
    Vigil vigil = Vigil.over(lab, watched);
    try (vigil) {
      for (int step = 0; step < steps; step++) {
        disturbance.accept(step);
        node.apply(next());
      }
      node.apply(end());
    }
    return new Report(vigil.probes(), vigil.failures());
  }

  /** The next change. */
  public ClusterDelta next() {
    int number = random.nextInt(MOST_SERVICES);
    ClusterDelta.Builder delta = ClusterDelta.builder();
    if (services.add(number)) {
      set(delta, number);
      // Endpoints may come with the service, or later.
      if (random.nextBoolean()) {
        setEndpoints(delta, number);
      }
    } else {
      switch (random.nextInt(6)) {
        case 0 -> remove(delta, number);
        case 1 -> set(delta, number);
        default -> setEndpoints(delta, number);
      }
    }
    return delta.build();
  }

  /** The change that removes every service that is still there. */
  public ClusterDelta end() {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    List.copyOf(services).forEach(number -> remove(delta, number));
    return delta.build();
  }

  private void set(ClusterDelta.Builder delta, int number) {
    List<Service.Port> ports = new ArrayList<>();
    for (Protocol protocol : Protocol.values()) {
      ports.add(new Service.Port(protocol.lower(), protocol, 80, 31_000 + number));
    }
    TrafficPolicy external = policy();
    Service.Builder service =
        Service.named(NAMESPACE, name(number))
            .type(ServiceType.LOAD_BALANCER)
            .clusterIps(List.of("10.96.7." + number, "fd10:96::" + (700 + number)))
            .ipFamilies(List.of(IpFamily.IPV4, IpFamily.IPV6))
            .ports(ports)
            .externalIps(List.of("192.0.2." + (128 + number)))
            .ingress(List.of(new Service.Ingress("203.0.113." + (128 + number), true)))
            .externalTrafficPolicy(external)
            // An API server would else take any port that is free, perhaps one of ours.
            .healthCheckNodePort(external == TrafficPolicy.LOCAL ? 31_500 + number : 0)
            .internalTrafficPolicy(policy());
    if (random.nextInt(4) == 0) {
      service.affinitySeconds(60);
    }
    if (random.nextInt(4) == 0) {
      service.sourceRanges(List.of("198.51.100.0/25"));
    }
    delta.set(service.build());
  }

  private TrafficPolicy policy() {
    return random.nextInt(3) == 0 ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER;
  }

  private void setEndpoints(ClusterDelta.Builder delta, int number) {
    List<Actor> chosen = Actor.PODS.stream().filter(pod -> random.nextBoolean()).toList();
    List<Conditions> conditions =
        chosen.stream()
            .map(pod -> random.nextInt(4) == 0 ? TERMINATING : Conditions.READY)
            .toList();
    for (IpFamily family : IpFamily.values()) {
      List<EndpointSlice.Member> members = new ArrayList<>();
      for (int i = 0; i < chosen.size(); i++) {
        Actor pod = chosen.get(i);
        members.add(
            new EndpointSlice.Member(
                List.of(pod.address(family).toString()),
                conditions.get(i),
                Actor.PODS_A.contains(pod) ? Actor.NODE_NAME : Actor.OTHER_NODE_NAME,
                "",
                List.of(),
                List.of(),
                ""));
      }
      List<EndpointSlice.Port> ports = new ArrayList<>();
      for (Protocol protocol : Protocol.values()) {
        ports.add(new EndpointSlice.Port(protocol.lower(), protocol, 8080));
      }
      delta.set(
          new EndpointSlice(
              slice(number, family),
              name(number),
              family == IpFamily.IPV4 ? AddressType.IPV4 : AddressType.IPV6,
              ports,
              members,
              false,
              null));
    }
  }

  private void remove(ClusterDelta.Builder delta, int number) {
    services.remove(number);
    delta.removeService(new NamespacedName(NAMESPACE, name(number)));
    for (IpFamily family : IpFamily.values()) {
      delta.removeSlice(slice(number, family));
    }
  }

  private static String name(int number) {
    return "service-" + number;
  }

  private static NamespacedName slice(int number, IpFamily family) {
    return new NamespacedName(NAMESPACE, name(number) + (family == IpFamily.IPV4 ? "-v4" : "-v6"));
  }
}
