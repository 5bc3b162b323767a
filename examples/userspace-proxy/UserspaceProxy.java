import module java.base;

import dev.portolan.client.Portolan;
import dev.portolan.core.collection.DiffStore;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;

/**
 * A small load balancer: for each TCP port of a service it listens on a port of 127.0.0.1, which it
 * prints, and passes each connection to one of the chosen endpoints, on two virtual threads.
 *
 * <p>It shows how a state becomes changes. For real use, there is the backend userspace.
 */
public final class UserspaceProxy {
  private final DiffStore<String, ServicePort> services = new DiffStore<>();
  private final Map<String, ServerSocket> listeners = new HashMap<>();
  private final Map<String, ServicePort> current = new ConcurrentHashMap<>();

  public static void main(String[] args) {
    Portolan.run(args, new UserspaceProxy()::apply);
  }

  /** Listens for all services of {@code state}, and for no other. */
  public void apply(NodeImage state) {
    services.reset();
    for (NodeService service : state.services()) {
      for (ServicePort port : service.ports()) {
        if (port.name().protocol() == Protocol.TCP) {
          services.put(port.toString(), port);
        }
      }
    }
    services.done();
    current.keySet().removeAll(services.deleted().keySet());
    current.putAll(services.updated());
    current.putAll(services.created());
    try {
      for (String name : services.deleted().keySet()) {
        listeners.remove(name).close();
      }
      for (String name : services.created().keySet()) {
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
        listeners.put(name, listener);
        Thread.startVirtualThread(() -> accept(name, listener));
        IO.println(name + " is served on " + listener.getLocalSocketAddress());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(String name, ServerSocket listener) {
    try {
      while (true) {
        Socket client = listener.accept();
        Thread.startVirtualThread(() -> pass(name, client));
      }
    } catch (IOException e) {
      // The service is gone; its connections go on.
    }
  }

  private void pass(String name, Socket client) {
    try (client) {
      ServicePort port = current.get(name);
      List<Endpoint> endpoints = port == null ? List.of() : port.endpoints(Traffic.INTERNAL);
      if (!endpoints.isEmpty()) {
        Endpoint chosen = endpoints.get(ThreadLocalRandom.current().nextInt(endpoints.size()));
        try (Socket server = new Socket(chosen.address().toString(), chosen.port())) {
          Thread back = Thread.startVirtualThread(() -> copy(server, client));
          copy(client, server);
          back.join();
        }
      }
    } catch (IOException | InterruptedException e) {
      // The endpoint does not answer: the client's connection ends.
    }
  }

  /** Passes on all that one side sends, and then that it sends no more; the other may go on. */
  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      // One of the two is gone, and the other will notice.
    }
  }
}
