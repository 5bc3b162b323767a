package dev.portolan.testkit.peers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.text.Json;
import dev.portolan.netlink.NetworkNamespace;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Stands in for an API server where a real one would take too long, as in the virtual machine: it
 * lists and watches a cluster of the model, over plain HTTP, for one kube-proxy in the same network
 * namespace. It knows neither users nor failures.
 */
public final class ObjectServer implements AutoCloseable {
  private static final Map<String, Kind> KINDS =
      Map.of(
          "services", new Kind("v1", "Service"),
          "nodes", new Kind("v1", "Node"),
          "endpointslices", new Kind("discovery.k8s.io/v1", "EndpointSlice"),
          "servicecidrs", new Kind("networking.k8s.io/v1", "ServiceCIDR"));

  private static final Set<String> HELD = Set.of("services", "endpointslices");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Map<String, Map<String, Object>>> objects = new HashMap<>();
  private final List<Event> events = new ArrayList<>();
  private ClusterImage image = ClusterImage.EMPTY;
  private boolean held;
  private boolean greeted;
  private boolean closed;

  private record Kind(String version, String name) {}

  /** What watches are sent; its place in the list is its version. */
  private record Event(String resource, String type, Map<String, Object> object) {
    byte[] line() {
      return (Json.line(Map.of("type", type, "object", object)) + "\n")
          .getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Listens on the loopback device of {@code namespace}. */
  public ObjectServer(NetworkNamespace namespace) {
    this(namespace.visit(ObjectServer::listen));
  }

  /** Listens on the loopback device of this process's own network. */
  public ObjectServer() {
    this(listen());
  }

  private ObjectServer(HttpServer server) {
    this.server = server;
    KINDS.keySet().forEach(resource -> objects.put(resource, new LinkedHashMap<>()));
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private static HttpServer listen() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a kubeconfig file for a kube-proxy. */
  public Path kubeconfig(Path file) {
    String text =
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: test
          cluster: {server: "http://127.0.0.1:%d"}
        contexts:
        - name: test
          context: {cluster: test}
        current-context: test
        """
            .formatted(server.getAddress().getPort());
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is served. */
  public synchronized ClusterImage image() {
    return image;
  }

  /** Makes a change, of which all watches are told. */
  public synchronized void apply(ClusterDelta delta) {
    image = delta.applyTo(image);
    delta.nodes().forEach((name, node) -> put("nodes", "", name, node.map(ApiObjects::node)));
    delta
        .services()
        .forEach(
            (name, service) -> put("services", name, service.map(ObjectServer::serviceWithStatus)));
    delta
        .slices()
        .forEach((name, slice) -> put("endpointslices", name, slice.map(ApiObjects::slice)));
    delta
        .serviceCidrs()
        .forEach((name, cidr) -> put("servicecidrs", "", name, cidr.map(ApiObjects::serviceCidr)));
    notifyAll();
  }

  /** Keeps requests for services and their slices waiting, until {@link #serveAll}. */
  public synchronized void holdServices() {
    held = true;
  }

  /** Answers the waiting requests, and all later ones. */
  public synchronized void serveAll() {
    held = false;
    notifyAll();
  }

  /** Whether a kube-proxy has sent an Event. It sends the first when all its parts listen. */
  public synchronized boolean isGreeted() {
    return greeted;
  }

  private static Map<String, Object> serviceWithStatus(Service service) {
    Map<String, Object> tree = new LinkedHashMap<>(ApiObjects.service(service));
    tree.putAll(ApiObjects.status(service));
    return tree;
  }

  private void put(String resource, NamespacedName name, Optional<Map<String, Object>> object) {
    put(resource, name.namespace(), name.name(), object);
  }

  private void put(
      String resource, String namespace, String name, Optional<Map<String, Object>> object) {
    Map<String, Map<String, Object>> all = all(resource);
    String key = namespace + "/" + name;
    if (object.isEmpty()) {
      Map<String, Object> gone = all.remove(key);
      if (gone != null) {
        tell(resource, "DELETED", gone);
      }
      return;
    }
    Map<String, Object> metadata = new LinkedHashMap<>();
    if (object.get().get("metadata") instanceof Map<?, ?> given) {
      given.forEach((field, value) -> metadata.put(field.toString(), value));
    }
    if (!namespace.isEmpty()) {
      metadata.put("namespace", namespace);
    }
    metadata.put("uid", resource + "-" + key);
    Map<String, Object> tree = new LinkedHashMap<>(object.get());
    tree.put("metadata", metadata);
    tell(resource, all.put(key, tree) == null ? "ADDED" : "MODIFIED", tree);
  }

  private void tell(String resource, String type, Map<String, Object> object) {
    if (object.get("metadata") instanceof Map<?, ?> metadata) {
      Map<String, Object> versioned = new LinkedHashMap<>();
      metadata.forEach((field, value) -> versioned.put(field.toString(), value));
      versioned.put("resourceVersion", Integer.toString(events.size() + 1));
      object.put("metadata", versioned);
    }
    events.add(new Event(resource, type, new LinkedHashMap<>(object)));
  }

  private Map<String, Map<String, Object>> all(String resource) {
    return Objects.requireNonNull(objects.get(resource));
  }

  private static Kind kind(String resource) {
    return Objects.requireNonNull(KINDS.get(resource));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String query = Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("");
      String resource = path.substring(path.lastIndexOf('/') + 1);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      awaitTurn(resource);
      if (!KINDS.containsKey(resource)) {
        send(exchange, 404, Map.of("kind", "Status", "apiVersion", "v1", "status", "Failure"));
      } else if (!query.contains("watch=")) {
        send(exchange, 200, list(resource, query));
      } else {
        exchange.sendResponseHeaders(200, 0);
        watch(resource, query, exchange.getResponseBody());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void awaitTurn(String resource) throws InterruptedException {
    greeted |= "events".equals(resource);
    while (held && !closed && HELD.contains(resource)) {
      wait();
    }
  }

  private static void send(HttpExchange exchange, int status, Map<String, Object> tree)
      throws IOException {
    byte[] body = Json.line(tree).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  private synchronized Map<String, Object> list(String resource, String query) {
    Kind kind = kind(resource);
    return Map.of(
        "apiVersion",
        kind.version(),
        "kind",
        kind.name() + "List",
        "metadata",
        Map.of("resourceVersion", Integer.toString(events.size())),
        "items",
        all(resource).values().stream().filter(it -> isSelected(it, query)).toList());
  }

  /**
   * Sends what is there, if that is asked for, as kube-proxy does, and what happens from then on.
   */
  private void watch(String resource, String query, OutputStream out)
      throws IOException, InterruptedException {
    boolean initial = query.contains("sendInitialEvents=true");
    List<Event> next = new ArrayList<>();
    int told;
    synchronized (this) {
      told = initial ? events.size() : version(query);
      if (initial) {
        all(resource).values().stream()
            .filter(it -> isSelected(it, query))
            .forEach(it -> next.add(new Event(resource, "ADDED", it)));
        next.add(new Event(resource, "BOOKMARK", bookmark(kind(resource), told)));
      }
    }
    while (true) {
      for (Event event : next) {
        out.write(event.line());
      }
      out.flush();
      next.clear();
      synchronized (this) {
        while (!closed && events.size() <= told) {
          wait();
        }
        if (closed) {
          return;
        }
        events.subList(told, events.size()).stream()
            .filter(event -> event.resource().equals(resource) && isSelected(event.object(), query))
            .forEach(next::add);
        told = events.size();
      }
    }
  }

  /** Whether an object is among those asked for: by its name, or by labels that it has not. */
  private static boolean isSelected(Map<String, Object> object, String query) {
    if (!(object.get("metadata") instanceof Map<?, ?> metadata)) {
      return true;
    }
    String field = parameter(query, "fieldSelector");
    if (field.startsWith("metadata.name=")
        && !field.equals("metadata.name=" + metadata.get("name"))) {
      return false;
    }
    return !(metadata.get("labels") instanceof Map<?, ?> labels)
        || Arrays.stream(parameter(query, "labelSelector").split(",", -1))
            .noneMatch(label -> label.startsWith("!") && labels.containsKey(label.substring(1)));
  }

  private static int version(String query) {
    String version = parameter(query, "resourceVersion");
    return version.isEmpty() ? 0 : Integer.parseInt(version);
  }

  private static String parameter(String query, String name) {
    return Arrays.stream(query.split("&", -1))
        .filter(part -> part.startsWith(name + "="))
        .map(part -> part.substring(name.length() + 1))
        .findFirst()
        .orElse("");
  }

  private static Map<String, Object> bookmark(Kind kind, int version) {
    return Map.of(
        "apiVersion",
        kind.version(),
        "kind",
        kind.name(),
        "metadata",
        Map.of(
            "resourceVersion",
            Integer.toString(version),
            "annotations",
            Map.of("k8s.io/initial-events-end", "true")));
  }

  /** Ends all watches. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    server.stop(0);
    threads.shutdownNow();
  }
}
