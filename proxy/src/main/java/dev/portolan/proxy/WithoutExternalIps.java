package dev.portolan.proxy;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.Source;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A source whose services have no external IPs, whatever their objects say. */
record WithoutExternalIps(Source source) implements Source {
  /** The feature gate that decides whether external IPs count. */
  static final String GATE = "AllowServiceExternalIPs";

  @Override
  public void run(Sink sink) throws InterruptedException {
    source.run(
        new Sink() {
          @Override
          public void apply(ClusterDelta transaction) {
            sink.apply(filtered(transaction));
          }

          @Override
          public void report(String problem) {
            sink.report(problem);
          }
        });
  }

  private static ClusterDelta filtered(ClusterDelta transaction) {
    Map<NamespacedName, Optional<Service>> services = new TreeMap<>();
    transaction
        .services()
        .forEach((name, service) -> services.put(name, service.map(Service::withoutExternalIps)));
    return new ClusterDelta(
        services, transaction.slices(), transaction.nodes(), transaction.serviceCidrs());
  }
}
