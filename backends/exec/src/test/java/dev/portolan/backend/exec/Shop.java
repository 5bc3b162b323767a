package dev.portolan.backend.exec;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.brain.Brain;
import dev.portolan.core.brain.NodeSettings;
import dev.portolan.core.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import dev.portolan.source.file.Manifests;
import dev.portolan.sync.Pace;
import dev.portolan.sync.SyncLoop;
import java.nio.file.Path;
import java.time.Duration;

/** The cluster of examples/shop, seen from worker-1, and changes to it. */
final class Shop {
  static final Path EXAMPLES = Path.of("../../examples").toAbsolutePath().normalize();

  private final Brain brain = new Brain(warning -> {});
  private final NodeView view = brain.open("worker-1", NodeSettings.DEFAULT);
  private final ClusterImage whole = Manifests.read(EXAMPLES.resolve("shop")).image();

  Shop() {
    brain.apply(ClusterDelta.between(ClusterImage.EMPTY, whole));
  }

  NodeImage image() {
    return view.image();
  }

  /** What leads from nothing to the newest image. */
  NodeDelta whole() {
    return NodeDelta.between(NodeImage.unsynced("worker-1"), image());
  }

  /** A loop that syncs on request. */
  SyncLoop loop(Backend backend) {
    return loop(view, backend);
  }

  static SyncLoop loop(NodeView view, Backend backend) {
    return new SyncLoop(view, backend, Pace.DEFAULT, new Silence());
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

  private static final class Silence implements SyncLoop.Listener {
    @Override
    public void applied(NodeImage before, NodeImage after, NodeDelta delta, Duration took) {}

    @Override
    public void failed(BackendException failure, Duration pause) {}
  }
}
