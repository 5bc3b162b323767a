package dev.portolan.source.kube;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.source.kube.Encoding.Stored;
import dev.portolan.source.kube.wire.ProtobufFormat;
import dev.portolan.testbase.FreePort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * An API server of four resources that lists, watches, and fails as it is told.
 *
 * <p>Every change has a version and is kept until {@link #compact}. A failure waits in a queue for
 * the request that it is meant for; one that is meant for watches also strikes those that run.
 */
final class FakeApiServer implements AutoCloseable {
  private static final Map<String, String> KINDS =
      Map.of(
          "services", "Service",
          "endpointslices", "EndpointSlice",
          "nodes", "Node",
          "servicecidrs", "ServiceCIDR");

  private final Map<ObjectRef, Stored> objects = new TreeMap<>();
  private final List<Change> log = new ArrayList<>();
  private final Map<String, Deque<Fault>> faults = new HashMap<>();
  private final List<String> requests = new ArrayList<>();
  private final List<Long> arrivals = new ArrayList<>();
  private final int port;
  private HttpServer server;
  private long version = 10;
  private long compacted;
  private int bookmarks;
  private int life;

  private boolean onlyJson;
  private boolean withoutServiceCidrs;

  /** What can go wrong. */
  enum Failure {
    /** The answer is a status. */
    STATUS,
    /** No answer at all, and the connection stays. */
    SILENCE,
    /** An answer that stops in the middle of a frame, with the connection. */
    CUT,
    /** An answer that ends properly for HTTP, in the middle of a frame. */
    SHORT,
    /** Bytes that mean nothing. */
    GARBAGE,
    /** An ERROR event. */
    ERROR,
    /** Each byte comes alone. */
    DRIP,
    /** The answer ends. */
    END
  }

  private record Fault(Failure failure, int code, int retryAfter) {}

  private record Change(
      long version, String kind, @Nullable Object before, @Nullable Object after) {}

  private FakeApiServer() throws IOException {
    server = listen(FreePort.next());
    port = server.getAddress().getPort();
  }

  static FakeApiServer start() {
    try {
      return new FakeApiServer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + port);
  }

  // What it holds

  synchronized FakeApiServer put(Object object) {
    ObjectRef ref = ref(object);
    Stored before = objects.put(ref, new Stored(object, ++version));
    change(ref.kind(), before == null ? null : before.object(), object);
    return this;
  }

  synchronized FakeApiServer delete(ObjectRef ref) {
    Stored before = objects.remove(ref);
    if (before != null) {
      version++;
      change(ref.kind(), before.object(), null);
    }
    return this;
  }

  private void change(String kind, @Nullable Object before, @Nullable Object after) {
    log.add(new Change(version, kind, before, after));
    notifyAll();
  }

  /** Forgets all events up to now: a request for them gets 410. */
  synchronized FakeApiServer compact() {
    compacted = version;
    log.clear();
    return this;
  }

  /** Sends a bookmark in each watch. */
  synchronized void bookmark() {
    bookmarks++;
    notifyAll();
  }

  /** Goes back to an earlier version in which there were no objects; they have to be put again. */
  synchronized void restore(long earlier) {
    objects.clear();
    log.clear();
    version = earlier;
    compacted = 0;
  }

  synchronized long version() {
    return version;
  }

  synchronized List<ObjectRef> refs() {
    return List.copyOf(objects.keySet());
  }

  /** What a source should have in the end. */
  synchronized ClusterImage image(Optional<String> ownNode) {
    ClusterDelta.Builder cluster = ClusterDelta.builder();
    for (Stored stored : objects.values()) {
      switch (stored.object()) {
        case Service service when isServed(service) -> cluster.set(service);
        case EndpointSlice slice when !slice.labelledHeadless() -> cluster.set(slice);
        case Node node when ownNode.isEmpty() || ownNode.get().equals(node.name()) ->
            cluster.set(node);
        case ServiceCidr cidr when !withoutServiceCidrs -> cluster.set(cidr);
        default -> {}
      }
    }
    return cluster.build().applyTo(ClusterImage.EMPTY);
  }

  // How it behaves

  synchronized FakeApiServer speakOnlyJson() {
    onlyJson = true;
    return this;
  }

  synchronized FakeApiServer haveServiceCidrs(boolean has) {
    withoutServiceCidrs = !has;
    return this;
  }

  /** The next watch of {@code resource}, or the one that runs, fails. */
  FakeApiServer failWatch(String resource, Failure failure) {
    return fail("watch " + resource, new Fault(failure, 410, 0));
  }

  /** The next watch of {@code resource} is refused. */
  FakeApiServer refuseWatch(String resource, int code, int retryAfter) {
    return fail("watch " + resource, new Fault(Failure.STATUS, code, retryAfter));
  }

  /** The next list of {@code resource} fails. */
  FakeApiServer failList(String resource, Failure failure) {
    return fail("list " + resource, new Fault(failure, 500, 0));
  }

  /** The next list of {@code resource} is refused. */
  FakeApiServer refuseList(String resource, int code, int retryAfter) {
    return fail("list " + resource, new Fault(Failure.STATUS, code, retryAfter));
  }

  /** A running watch of {@code resource} ends with an ERROR event. */
  FakeApiServer errorInWatch(String resource, int code) {
    return fail("watch " + resource, new Fault(Failure.ERROR, code, 0));
  }

  private synchronized FakeApiServer fail(String request, Fault fault) {
    faults.computeIfAbsent(request, key -> new ArrayDeque<>()).add(fault);
    notifyAll();
    return this;
  }

  synchronized boolean hasFaults() {
    return faults.values().stream().anyMatch(queue -> !queue.isEmpty());
  }

  /** When each request that begins with {@code start} arrived. */
  synchronized List<Long> arrivals(String start) {
    List<Long> found = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      if (requests.get(i).startsWith(start)) {
        found.add(arrivals.get(i));
      }
    }
    return found;
  }

  /** The requests so far, as in {@code list services} with their query. */
  synchronized List<String> requests() {
    return List.copyOf(requests);
  }

  /** Breaks all connections and listens no longer. */
  void stop() {
    synchronized (this) {
      life++;
      notifyAll();
    }
    server.stop(0);
  }

  /** Listens again, at the same port. */
  void startAgain() {
    try {
      server = listen(port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    stop();
  }

  private HttpServer listen(int at) throws IOException {
    HttpServer listening =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), 0);
    listening.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    listening.createContext("/", this::answer);
    listening.start();
    return listening;
  }

  // Answers

  private void answer(HttpExchange exchange) throws IOException {
    try {
      new Answer(exchange).give();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      exchange.close();
    }
  }

  private static ObjectRef ref(Object object) {
    return switch (object) {
      case Service service -> service.ref();
      case EndpointSlice slice -> slice.ref();
      case Node node -> node.ref();
      case ServiceCidr cidr -> cidr.ref();
      default -> throw new IllegalArgumentException();
    };
  }

  /** Whether the label selector, if it is one for proxies, takes the service. */
  private static boolean isSelected(Service service, String label) {
    if (label.startsWith(Service.PROXY_NAME_LABEL + "=")) {
      return service.isFor(Optional.of(label.substring(Service.PROXY_NAME_LABEL.length() + 1)));
    }
    return !label.equals("!" + Service.PROXY_NAME_LABEL) || service.isFor(Optional.empty());
  }

  private static boolean isServed(Service service) {
    return service.isFor(Optional.empty()) && !service.clusterIps().equals(List.of("None"));
  }

  private synchronized @Nullable Fault takeFault(String request) {
    Deque<Fault> queue = faults.get(request);
    return queue == null ? null : queue.poll();
  }

  /** The answer to one request. */
  private final class Answer {
    private final HttpExchange exchange;
    private final Map<String, String> query = new HashMap<>();
    private final String resource;
    private final String kind;
    private final Encoding encoding;
    private final Predicate<Object> selector;
    private final int born;
    private final int marked;
    private boolean drip;

    private Answer(HttpExchange exchange) {
      this.exchange = exchange;
      String path = exchange.getRequestURI().getPath();
      resource = path.substring(path.lastIndexOf('/') + 1);
      kind = KINDS.getOrDefault(resource, "");
      for (String parameter : exchange.getRequestURI().getRawQuery().split("&", -1)) {
        int equals = parameter.indexOf('=');
        query.put(
            parameter.substring(0, equals),
            URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8));
      }
      String accept = exchange.getRequestHeaders().getFirst("Accept");
      encoding =
          !onlyJson && accept.startsWith(ProtobufFormat.TYPE)
              ? new ProtobufEncoding()
              : new JsonEncoding();
      selector = selector();
      synchronized (FakeApiServer.this) {
        born = life;
        marked = bookmarks;
        requests.add((isWatch() ? "watch " : "list ") + resource + " " + query);
        arrivals.add(System.nanoTime());
      }
    }

    private boolean isWatch() {
      return query.containsKey("watch");
    }

    private Predicate<Object> selector() {
      String label = query.getOrDefault("labelSelector", "");
      String field = query.getOrDefault("fieldSelector", "");
      return object ->
          switch (object) {
            case Service service ->
                isSelected(service, label)
                    && (!field.equals("spec.clusterIP!=None")
                        || !service.clusterIps().equals(List.of("None")));
            case EndpointSlice slice ->
                !label.equals("!" + Service.HEADLESS_LABEL) || !slice.labelledHeadless();
            case Node node -> field.isEmpty() || field.equals("metadata.name=" + node.name());
            default -> true;
          };
    }

    private void give() throws IOException, InterruptedException {
      if (kind.isEmpty() || (withoutServiceCidrs && resource.equals("servicecidrs"))) {
        refuse(404, 0);
      } else if (isWatch()) {
        watch();
      } else {
        list();
      }
    }

    private void refuse(int code, int retryAfter) throws IOException {
      if (retryAfter > 0) {
        exchange.getResponseHeaders().set("Retry-After", Integer.toString(retryAfter));
      }
      byte[] body = encoding.status(code, "the test wants it");
      exchange.getResponseHeaders().set("Content-Type", encoding.type());
      exchange.sendResponseHeaders(code, body.length);
      exchange.getResponseBody().write(body);
    }

    private OutputStream begin() throws IOException {
      exchange
          .getResponseHeaders()
          .set("Content-Type", encoding.type() + (isWatch() ? ";stream=watch" : ""));
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      out.flush();
      return out;
    }

    private void list() throws IOException, InterruptedException {
      Fault fault = takeFault("list " + resource);
      if (fault != null && fault.failure == Failure.STATUS) {
        refuse(fault.code, fault.retryAfter);
        return;
      }
      byte[] body = pack(objects());
      exchange.getResponseHeaders().set("Content-Encoding", "gzip");
      OutputStream out = begin();
      if (fault == null) {
        out.write(body);
        out.close();
      } else {
        fail(out, fault, body);
      }
    }

    private byte[] objects() {
      synchronized (FakeApiServer.this) {
        List<Stored> all =
            objects.entrySet().stream()
                .filter(entry -> entry.getKey().kind().equals(kind))
                .map(Map.Entry::getValue)
                .filter(stored -> selector.test(stored.object()))
                .limit(Long.parseLong(query.getOrDefault("limit", "1000000")))
                .toList();
        return encoding.list(kind, all, Long.toString(version));
      }
    }

    /** A real server packs long lists only. */
    private static byte[] pack(byte[] bytes) throws IOException {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
        out.write(bytes);
      }
      return packed.toByteArray();
    }

    private void watch() throws IOException, InterruptedException {
      synchronized (FakeApiServer.this) {
        Deque<Fault> queue = faults.getOrDefault("watch " + resource, new ArrayDeque<>());
        Fault first = queue.peek();
        if (first != null && first.failure == Failure.STATUS) {
          queue.poll();
          refuse(first.code, first.retryAfter);
          return;
        }
      }
      long position = Long.parseLong(query.getOrDefault("resourceVersion", ""));
      if (position < compacted) {
        refuse(410, 0);
        return;
      }
      if (position > version()) {
        // As a real server does, which waits a while for that version.
        refuse(504, 0);
        return;
      }
      OutputStream out = begin();
      sendChanges(out, position);
    }

    private void sendChanges(OutputStream out, long from) throws IOException, InterruptedException {
      long position = from;
      int marks = marked;
      long timeout = Long.parseLong(query.getOrDefault("timeoutSeconds", "60"));
      long end = System.nanoTime() + timeout * 1_000_000_000L;
      while (System.nanoTime() < end && life == born) {
        List<byte[]> frames = new ArrayList<>();
        Fault fault = null;
        synchronized (FakeApiServer.this) {
          if (position < compacted) {
            // What was not sent in time can no longer be sent.
            frames.add(encoding.error(410, "too old"));
            end = 0;
          }
          for (Change change : log) {
            if (change.version > position) {
              position = change.version;
              add(change, frames);
            }
          }
          if (marks < bookmarks) {
            marks = bookmarks;
            frames.add(encoding.bookmark(kind, Long.toString(Math.max(position, version))));
          }
          Deque<Fault> queue = faults.get("watch " + resource);
          if (queue != null && !queue.isEmpty()) {
            if (queue.peek().failure == Failure.STATUS) {
              end = 0;
            } else {
              fault = queue.poll();
            }
          }
          if (frames.isEmpty() && fault == null && end != 0) {
            FakeApiServer.this.wait(20);
          }
        }
        for (byte[] frame : frames) {
          write(out, frame);
        }
        if (fault != null && fault.failure == Failure.DRIP) {
          drip = true;
        } else if (fault != null) {
          Node node = Node.named("half");
          fail(out, fault, encoding.event("ADDED", new Stored(node, position)));
          return;
        }
      }
      if (life == born) {
        out.close();
      }
    }

    private void add(Change change, List<byte[]> frames) {
      if (!change.kind.equals(kind)) {
        return;
      }
      Object before = change.before;
      Object after = change.after;
      boolean was = before != null && selector.test(before);
      if (after != null && selector.test(after)) {
        Stored stored = new Stored(after, change.version);
        frames.add(encoding.event(was ? "MODIFIED" : "ADDED", stored));
      } else if (was && before != null) {
        frames.add(encoding.event("DELETED", new Stored(before, change.version)));
      }
    }

    /** Fails in a way that leaves {@code body} unfinished. */
    private void fail(OutputStream out, Fault fault, byte[] body)
        throws IOException, InterruptedException {
      switch (fault.failure) {
        case CUT, SHORT -> {
          write(out, Arrays.copyOf(body, body.length / 2));
          if (fault.failure == Failure.SHORT) {
            out.close();
          }
        }
        case GARBAGE -> {
          write(
              out, "<html>no API server here</html>\n".repeat(20).getBytes(StandardCharsets.UTF_8));
          out.close();
        }
        case ERROR -> {
          write(out, encoding.error(fault.code, "the test wants it"));
          out.close();
        }
        case DRIP -> {
          drip = true;
          write(out, body);
          out.close();
        }
        case END -> out.close();
        case STATUS, SILENCE -> {
          synchronized (FakeApiServer.this) {
            while (life == born) {
              FakeApiServer.this.wait();
            }
          }
        }
      }
    }

    private void write(OutputStream out, byte[] bytes) throws IOException {
      if (!drip) {
        out.write(bytes);
        out.flush();
        return;
      }
      for (byte part : bytes) {
        out.write(part);
        out.flush();
      }
    }
  }
}
