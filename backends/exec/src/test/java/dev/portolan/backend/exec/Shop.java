package dev.portolan.backend.exec;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.node.NodeImage;
import dev.portolan.source.file.Manifests;
import dev.portolan.sync.Keeper;
import dev.portolan.sync.Observer;
import java.nio.file.Path;

/** The cluster of examples/shop, seen from worker-1, and changes to it. */
final class Shop {
  static final Path EXAMPLES = Path.of("../../examples").toAbsolutePath().normalize();

  private final Brain brain = new Brain(warning -> {});
  private final NodeView view = brain.open("worker-1", NodeSettings.DEFAULT);
  private final ClusterImage whole = Manifests.read(EXAMPLES.resolve("shop")).image();

  Shop() {
    brain.apply(whole);
  }

  NodeImage image() {
    return view.image();
  }

  /** A keeper that syncs when the test calls it. */
  Keeper keeper(Backend backend) {
    return keeper(view, backend);
  }

  static Keeper keeper(NodeView view, Backend backend) {
    return new Keeper(view, backend, Keeper.Options.DEFAULT);
  }

  /** The same, which tells {@code observer} what it does. */
  Keeper keeper(Backend backend, Observer observer) {
    return new Keeper(view, backend, Keeper.Options.DEFAULT, observer);
  }

  void remove(String namespace, String name) {
    brain.apply(ClusterDelta.builder().removeService(new NamespacedName(namespace, name)).build());
  }

  /** Puts a service back that was removed. */
  void restore(String namespace, String name) {
    Service service = whole.services().get(new NamespacedName(namespace, name));
    brain.apply(ClusterDelta.builder().set(service).build());
  }

  /** Takes an endpoint slice, and with it the endpoints, away. */
  void removeSlice(String namespace, String name) {
    brain.apply(ClusterDelta.builder().removeSlice(new NamespacedName(namespace, name)).build());
  }
}
