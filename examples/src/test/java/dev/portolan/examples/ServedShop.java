package dev.portolan.examples;

import dev.portolan.api.transport.Address;
import dev.portolan.brain.Brain;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.Options;
import dev.portolan.source.file.Manifests;
import java.nio.file.Path;

/** The cluster of examples/shop, served to programs. */
final class ServedShop implements AutoCloseable {
  private final Brain brain = new Brain(warning -> {});
  private final BrainServer server;

  ServedShop(Address address) {
    ClusterImage cluster = Manifests.read(Path.of("examples/shop")).image();
    brain.apply(cluster);
    server =
        BrainServer.start(brain, Options.builder().listen(ListenAddress.plain(address)).build());
  }

  void delete(NamespacedName service) {
    brain.apply(ClusterDelta.builder().removeService(service).build());
  }

  @Override
  public void close() {
    server.close();
  }
}
