package dev.portolan.bench.kit;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import java.util.ArrayList;
import java.util.List;

/** One service with as many endpoints as one likes, in slices as large as they may be. */
public record LargeService(NamespacedName name, String address, int endpoints) {
  private static final int IN_A_SLICE = 1_000;
  private static final int NODES = 5_000;

  /** The service and all its slices. */
  public ClusterDelta all(int affinitySeconds) {
    Service.Builder service = BenchObjects.service(name, address, Protocol.TCP);
    if (affinitySeconds > 0) {
      service.affinitySeconds(affinitySeconds);
    }
    ClusterDelta.Builder delta = ClusterDelta.builder();
    delta.set(service.build());
    for (int i = 0; i < slices(); i++) {
      delta.set(slice(i, 0));
    }
    return delta.build();
  }

  /** How many slices there are; one without endpoints has one that is empty. */
  public int slices() {
    return Math.max(1, (endpoints + IN_A_SLICE - 1) / IN_A_SLICE);
  }

  /** A slice; another version has another address for the first endpoint. */
  public EndpointSlice slice(int number, int version) {
    List<EndpointSlice.Member> members = new ArrayList<>();
    int start = number * IN_A_SLICE;
    for (int i = start; i < Math.min(endpoints, start + IN_A_SLICE); i++) {
      int pod = i == start && version % 2 == 1 ? endpoints + number : i;
      members.add(
          BenchObjects.member(
              Ip.v4(0x0af0_0000 + pod).toString(), SyntheticCluster.name(i % NODES)));
    }
    NamespacedName slice = new NamespacedName(name.namespace(), name.name() + "-" + number);
    return BenchObjects.slice(slice, name.name(), Protocol.TCP, 8080, members);
  }

  /** The first endpoint of the first slice is replaced. */
  public ClusterDelta change(int version) {
    return BenchObjects.written(slice(0, version));
  }
}
