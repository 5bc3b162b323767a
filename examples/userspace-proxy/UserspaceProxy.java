import module java.base;

import dev.portolan.client.Portolan;
import dev.portolan.core.collection.DiffStore;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;

/**
 * A service proxy in user space: it listens on those cluster IPs of TCP services that this machine
 * has, and passes each connection to one of the chosen endpoints, on two virtual threads.
 *
 * <p>With {@code --loopback} it listens on a free port of 127.0.0.1 for each service instead, and
 * prints which. The other flags are those of every backend.
 */
public final class UserspaceProxy {
  private static final int CONNECT_MILLIS = 2_000;

  private final boolean loopback;
  private final DiffStore<String, ServicePort> services = new DiffStore<>();
  private final Map<String, Relay> relays = new HashMap<>();

  public UserspaceProxy(boolean loopback) {
    this.loopback = loopback;
  }

  public static void main(String[] args) {
    List<String> flags = new ArrayList<>(List.of(args));
    boolean loopback = flags.remove("--loopback");
    Portolan.run(flags.toArray(String[]::new), new UserspaceProxy(loopback)::apply);
  }

  /** Opens, changes and closes relays until they are those of {@code state}. */
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
    services.deleted().keySet().forEach(name -> relays.remove(name).close());
    services.updated().forEach((name, port) -> relays.get(name).port = port);
    services.created().forEach(this::open);
  }

  private void open(String name, ServicePort port) {
    try {
      Relay relay = new Relay(port);
      relays.put(name, relay);
      String address = loopback ? "127.0.0.1" : port.clusterIp().address().toString();
      relay.listen(address, loopback ? 0 : port.clusterIp().port());
      IO.println(name + " is served on " + relay.socket.getLocalSocketAddress());
    } catch (IOException e) {
      System.err.printf(
          "%s is not served: %s; add the address to this machine, or use --loopback%n",
          name, e.getMessage());
    }
  }

  /** Where one service port is served. Connections that exist outlive it. */
  private static final class Relay {
    private final ServerSocket socket = new ServerSocket();
    private volatile ServicePort port;

    Relay(ServicePort port) throws IOException {
      this.port = port;
    }

    void listen(String address, int number) throws IOException {
      socket.bind(new InetSocketAddress(InetAddress.ofLiteral(address), number));
      Thread.startVirtualThread(this::accept);
    }

    void accept() {
      try {
        while (true) {
          Socket client = socket.accept();
          Thread.startVirtualThread(() -> pass(client));
        }
      } catch (IOException e) {
        // The relay was closed.
      }
    }

    void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void pass(Socket client) {
      try (client) {
        ServicePort now = port;
        // Until an endpoint has answered, the client's connection is cut rather than closed.
        client.setSoLinger(true, 0);
        if (now.verdict(Traffic.INTERNAL) == Verdict.FORWARD) {
          try (Socket server = connect(now.endpoints(Traffic.INTERNAL))) {
            client.setSoLinger(false, 0);
            Thread back = Thread.startVirtualThread(() -> copy(server, client));
            copy(client, server);
            back.join();
          }
        }
      } catch (IOException | InterruptedException e) {
        // Nobody answers, or the client is gone already: the connection ends.
      }
    }

    /** A connection to one of the endpoints, at random; to another where that one is dead. */
    private static Socket connect(List<Endpoint> endpoints) throws IOException {
      List<Endpoint> order = new ArrayList<>(endpoints);
      Collections.shuffle(order);
      for (Endpoint endpoint : order) {
        Socket socket = new Socket();
        try {
          InetAddress address = InetAddress.ofLiteral(endpoint.address().toString());
          socket.connect(new InetSocketAddress(address, endpoint.port()), CONNECT_MILLIS);
          return socket;
        } catch (IOException e) {
          socket.close();
        }
      }
      throw new IOException("no endpoint answers");
    }

    /** Passes on all that one side sends, and then that it sends no more; the other may go on. */
    private static void copy(Socket from, Socket to) {
      try {
        from.getInputStream().transferTo(to.getOutputStream());
        to.shutdownOutput();
      } catch (IOException broken) {
        try (from;
            to) {
        } catch (IOException e) {
          // Both are closed all the same.
        }
      }
    }
  }
}
