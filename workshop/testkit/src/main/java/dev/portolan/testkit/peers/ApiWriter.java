package dev.portolan.testkit.peers;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.text.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Writes a cluster of the model into a real API server, change by change, and knows what is there.
 * ServiceCIDRs are the server's own and are left alone.
 */
public final class ApiWriter {
  private static final int WRITERS = 16;

  private final ControlPlane plane;
  private final Set<String> namespaces = new HashSet<>(Set.of("default"));
  private ClusterImage image = ClusterImage.EMPTY;

  /** Writes into a server in which nothing of ours is yet. */
  public ApiWriter(ControlPlane plane) {
    this.plane = plane;
  }

  /** What was written. */
  public ClusterImage image() {
    return image;
  }

  /** Makes a change, with several requests at a time where it is large. */
  public void apply(ClusterDelta delta) {
    ClusterImage before = image;
    image = delta.applyTo(before);
    delta.services().keySet().forEach(name -> ensure(name.namespace()));
    delta.slices().keySet().forEach(name -> ensure(name.namespace()));
    List<Runnable> writes = new ArrayList<>();
    delta
        .nodes()
        .forEach((name, node) -> writes.add(() -> node(before.nodes().get(name), name, node)));
    delta
        .services()
        .forEach((name, service) ->
            writes.add(() -> service(before.services().get(name), name, service)));
    delta
        .slices()
        .forEach((name, slice) -> writes.add(() -> slice(before.slices().get(name), name, slice)));
    if (writes.size() == 1) {
      writes.getFirst().run();
    } else {
      all(writes);
    }
  }

  private static void all(List<Runnable> writes) {
    try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
      for (Future<?> done : writes.stream().map(writers::submit).toList()) {
        done.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private void ensure(String namespace) {
    if (namespaces.add(namespace)) {
      write(
          "POST",
          "/api/v1/namespaces",
          Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", namespace)));
    }
  }

  private void node(@Nullable Node old, String name, Optional<Node> node) {
    String path = "/api/v1/nodes";
    if (node.isEmpty()) {
      delete(old, path + "/" + name);
    } else if (old == null) {
      write("POST", path, ApiObjects.node(node.get()));
    } else {
      write("PUT", path + "/" + name, ApiObjects.node(node.get()));
      write("PUT", path + "/" + name + "/status", ApiObjects.node(node.get()));
    }
  }

  private void service(@Nullable Service old, NamespacedName name, Optional<Service> service) {
    String path = "/api/v1/namespaces/" + name.namespace() + "/services";
    String own = path + "/" + name.name();
    if (service.isEmpty()) {
      delete(old, own);
      return;
    }
    if (old != null && mustBeMadeAnew(old, service.get())) {
      delete(old, own);
      old = null;
    }
    if (old == null) {
      write("POST", path, ApiObjects.service(service.get()));
    } else {
      write("PUT", own, ApiObjects.service(service.get()));
    }
    if (!service.get().ingress().isEmpty()
        || (old != null && !old.ingress().equals(service.get().ingress()))) {
      write("PATCH", own + "/status", ApiObjects.status(service.get()));
    }
  }

  /** Whether a field differs that the server does not let change. */
  private static boolean mustBeMadeAnew(Service old, Service now) {
    return !old.clusterIps().equals(now.clusterIps())
        || old.type() != now.type()
        || old.healthCheckNodePort() != now.healthCheckNodePort()
        || old.externalTrafficPolicy() != now.externalTrafficPolicy();
  }

  private void slice(
      @Nullable EndpointSlice old, NamespacedName name, Optional<EndpointSlice> slice) {
    String path = "/apis/discovery.k8s.io/v1/namespaces/" + name.namespace() + "/endpointslices";
    String own = path + "/" + name.name();
    if (slice.isEmpty()) {
      delete(old, own);
    } else if (old == null) {
      write("POST", path, ApiObjects.slice(slice.get()));
    } else {
      write("PUT", own, ApiObjects.slice(slice.get()));
    }
  }

  private void delete(@Nullable Object old, String path) {
    if (old != null) {
      plane.request("DELETE", path, "");
    }
  }

  private void write(String method, String path, Map<String, Object> object) {
    plane.request(method, path, Json.line(object));
  }
}
