package dev.portolan.conformance;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Large clusters of plain services. */
final class LargeCluster {
  /** The node from which they are seen. */
  static final String NODE = "worker-1";

  private static final String NAMESPACE = "crowd";
  private static final int SLICE = 100;

  private LargeCluster() {}

  /** The node. */
  static ClusterDelta node() {
    return ClusterDelta.builder()
        .set(
            new Node(
                NODE, List.of("172.18.0.11"), List.of(), "zone-a", List.of("10.244.1.0/24"), false))
        .build();
  }

  /** Services from {@code first} on, with two endpoints each. */
  static ClusterDelta services(int first, int count) {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (int number = first; number < first + count; number++) {
      addService(delta, number);
      delta.set(slice(number, 0, IntStream.of(2 * number, 2 * number + 1)));
    }
    return delta.build();
  }

  /** Removes services from {@code first} on. */
  static ClusterDelta removal(int first, int count) {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (int number = first; number < first + count; number++) {
      delta.removeService(service(number)).removeSlice(sliceName(number, 0));
    }
    return delta.build();
  }

  /** Gives service 0 the endpoints from {@code first} to {@code last}, and no others. */
  static ClusterDelta endpoints(int first, int last, int most) {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    addService(delta, 0);
    for (int index = 0; index * SLICE < most; index++) {
      int from = Math.max(first, index * SLICE);
      int to = Math.min(last, (index + 1) * SLICE);
      if (from < to) {
        delta.set(slice(0, index, IntStream.range(from, to)));
      } else {
        delta.removeSlice(sliceName(0, index));
      }
    }
    return delta.build();
  }

  private static void addService(ClusterDelta.Builder delta, int number) {
    delta.set(
        Service.named(NAMESPACE, service(number).name())
            .clusterIps(List.of(address("10.96.", number)))
            .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
            .build());
  }

  private static EndpointSlice slice(int number, int index, IntStream endpoints) {
    List<EndpointSlice.Member> members = new ArrayList<>();
    endpoints.forEach(endpoint ->
        members.add(
            new EndpointSlice.Member(
                List.of(address("10.244.", endpoint)),
                EndpointSlice.Conditions.READY,
                endpoint % 2 == 0 ? NODE : "worker-2",
                "",
                List.of(),
                List.of(),
                "")));
    return new EndpointSlice(
        sliceName(number, index),
        service(number).name(),
        EndpointSlice.AddressType.IPV4,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        members,
        false,
        null);
  }

  private static NamespacedName service(int number) {
    return new NamespacedName(NAMESPACE, "service-" + number);
  }

  private static NamespacedName sliceName(int number, int index) {
    return new NamespacedName(NAMESPACE, "service-" + number + "-" + index);
  }

  /** The n-th address after the given /16 prefix. */
  private static String address(String half, int number) {
    return half + (1 + number / 250) + "." + (1 + number % 250);
  }
}
