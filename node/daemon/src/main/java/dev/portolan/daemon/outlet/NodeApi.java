package dev.portolan.daemon.outlet;

import dev.portolan.api.transport.Address;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeView;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeChange;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.LocalBackend;
import dev.portolan.server.Options;
import dev.portolan.server.access.Access;
import dev.portolan.status.traffic.PortTraffic;
import dev.portolan.sync.Observer;
import dev.portolan.telemetry.log.Log;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves what is decided for this node, and why, on a socket of the host.
 *
 * <p>Only a daemon with {@code --api-listen} loads this class, and gRPC with it. The socket is
 * opened in the background, so that the first sync does not wait for it; one that cannot be opened
 * is retried, and keeps nothing else from working.
 */
final class NodeApi implements Observer, AutoCloseable {
  private final Address address;
  private final String backendName;
  private final Options.Builder options;
  private final Log log;
  private @Nullable Opening opening;
  private @Nullable BrainServer server;
  private @Nullable LocalBackend backend;
  private long applied;
  private String failure = "";
  private String unrepaired = "";
  private Consumer<LocalBackend> audit = _ -> {};
  private boolean closed;

  /**
   * What is served.
   *
   * @param socket where
   * @param dataplane what programs the node
   * @param source where the cluster is read from, in words
   * @param version the program's own
   * @param metadata whether labels and annotations of services are kept
   * @param traffic what was counted of the traffic of services, if it is counted
   */
  record Offer(
      Path socket,
      Dataplane dataplane,
      String source,
      String version,
      boolean metadata,
      Optional<Supplier<List<PortTraffic>>> traffic) {}

  /** Nothing is open yet. */
  NodeApi(Offer offer, Log log) {
    this.address = new Address.Unix(offer.socket());
    this.backendName = offer.dataplane().name();
    this.options =
        Options.builder()
            .listen(ListenAddress.plain(address))
            .access(Access.OWN_USER)
            .source(offer.source())
            .dataplanes(List.of(offer.dataplane()))
            .version(offer.version())
            .metadata(offer.metadata())
            .traffic(() -> TrafficMessages.reply(offer.traffic()))
            .log(line -> log.v(2).info(line));
    this.log = log;
  }

  /** Starts to serve what {@code brain} decides for the node of {@code view}. */
  synchronized void open(Brain brain, NodeView view) {
    Options wanted = options.only(view).build();
    opening =
        Opening.start(
            "api",
            "The API is not served yet",
            log,
            () -> opened(BrainServer.start(brain, wanted), view.node()));
  }

  private synchronized void opened(BrainServer started, String node) {
    if (closed) {
      started.close();
      return;
    }
    server = started;
    backend = started.backend(node, backendName);
    report();
    log.info("Serving the API", "address", address);
  }

  @Override
  public synchronized void applied(NodeChange change, Duration took) {
    applied = change.after().revision();
    failure = "";
    report();
  }

  @Override
  public synchronized void failed(BackendException cause, Duration took, Duration pause) {
    failure = String.valueOf(cause.getMessage());
    report();
  }

  @Override
  public synchronized void audited(int differences) {
    Instant now = Instant.now();
    audit = to -> to.audited(now, differences);
    report();
  }

  @Override
  public synchronized void notRepaired(BackendException cause) {
    unrepaired = String.valueOf(cause.getMessage());
    report();
  }

  @Override
  public synchronized void recovered() {
    unrepaired = "";
    report();
  }

  /** Says how far the backend is, once there is a server to say it to. */
  private void report() {
    if (backend != null) {
      if (applied > 0) {
        backend.applied(applied);
      }
      String problem = failure.isEmpty() ? unrepaired : failure;
      if (!problem.isEmpty()) {
        backend.failed(problem);
      }
      audit.accept(backend);
    }
  }

  /** Ends all calls, and removes the socket. */
  @Override
  public synchronized void close() {
    closed = true;
    if (opening != null) {
      opening.close();
    }
    if (server != null) {
      server.close();
    }
  }
}
