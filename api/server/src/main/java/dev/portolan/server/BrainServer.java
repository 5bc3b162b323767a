package dev.portolan.server;

import dev.portolan.api.transport.Address;
import dev.portolan.api.v1.NodeStatus;
import dev.portolan.api.v1.NodesReply;
import dev.portolan.brain.Brain;
import dev.portolan.brain.ClusterDecision;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.error.Threads;
import dev.portolan.server.access.ClientLines;
import dev.portolan.server.encoding.ClientList;
import dev.portolan.server.encoding.Encodings;
import dev.portolan.server.encoding.Heartbeat;
import dev.portolan.server.encoding.SharedChanges;
import dev.portolan.server.encoding.WholeStates;
import io.grpc.BindableService;
import io.grpc.ServerBuilder;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionService;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Serves what a brain decides, on any number of listeners: each node's state and every change to
 * it, why it was decided so, the cluster for other brains, and the progress of each client.
 */
public final class BrainServer implements AutoCloseable {
  private static final long SWEEP_SECONDS = 5;
  private static final long LAST_WORDS_SECONDS = 2;

  private final Brain brain;
  private final Options options;
  private final ScheduledExecutorService timer;
  private final EventLoopGroup loops;
  private final Views views;
  private final Optional<ClusterFollower<ClusterImage>> cluster;
  private final WholeStates wholeStates;
  private final Clients clients;
  private final Calls calls;
  private final List<ServerServiceDefinition> services;
  private final RequestGuard guard;
  private final ClientLines faults;
  private final HealthStatusManager health = new HealthStatusManager();
  private final List<Transport.Open> open = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Heartbeat heartbeat = new Heartbeat();
  private volatile boolean healthy;

  private BrainServer(Brain brain, Options options) {
    this.brain = brain;
    this.options = options;
    timer = Threads.platform("brain-timer").timer();
    loops =
        new MultiThreadIoEventLoopGroup(
            Runtime.getRuntime().availableProcessors(),
            Threads.platform("brain-io").factory(new DefaultThreadFactory("brain-io", true)),
            NioIoHandler.newFactory());
    views = new Views(brain, options.settings(), options.only(), options.limits());
    cluster =
        options.only().isPresent()
            ? Optional.empty()
            : Optional.of(
                new ClusterFollower<>(brain, ClusterDecision::cluster, options.limits().history()));
    clients = new Clients(options.limits());
    Consumer<String> log =
        line -> {
          if (!closed.get()) {
            options.log().accept(line);
          }
        };
    faults = new ClientLines(log, System::nanoTime);
    Encodings encodings = new Encodings();
    wholeStates = new WholeStates(encodings);
    Served served =
        new Served(
            views,
            cluster.map(ClusterFollower::feed),
            new ClusterFollower<>(brain, decision -> decision, 1).feed(),
            clients,
            encodings,
            new SharedChanges(encodings),
            wholeStates,
            options.defaultNode(),
            brain.decision().settings().serviceProxyName(),
            options.metadata(),
            options.places(),
            new ClientLines(log, System::nanoTime),
            new ClientLines(log, System::nanoTime),
            faults,
            heartbeat);
    guard = new RequestGuard(faults);
    calls = new Calls(options, served, this::nodes, loops, timer);
    services = calls.services();
  }

  /**
   * Starts to serve {@code brain}.
   *
   * @throws ListenException where one of the listeners cannot be opened; then none is
   */
  public static BrainServer start(Brain brain, Options options) {
    BrainServer server = new BrainServer(brain, options);
    try {
      server.begin();
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void begin() {
    sayHealth(brain.isSynced());
    brain.onChange(() -> {
      if (!healthy) {
        sayHealth(brain.isSynced());
      }
    });
    Transport transport = new Transport(options, loops, faults);
    for (ListenAddress listener : options.listeners()) {
      open.add(transport.open(listener, this::addServices));
    }
    var _ =
        timer.scheduleWithFixedDelay(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
  }

  private void addServices(ServerBuilder<?> builder) {
    builder.addStreamTracerFactory(new Resets());
    services.forEach(service -> builder.addService(guard.before(service)));
    builder.addService(guard.before(health.getHealthService().bindService()));
    builder.addService(guard.before(ProtoReflectionServiceV1.newInstance().bindService()));
    builder.addService(guard.before(reflectionBefore().bindService()));
  }

  /** Reflection under its older name, which Python's and older tools ask for. */
  @SuppressWarnings("deprecation") // The service is not; its class is, for Google's own use.
  private static BindableService reflectionBefore() {
    return ProtoReflectionService.newInstance();
  }

  private void sayHealth(boolean now) {
    healthy = now;
    ServingStatus status = now ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
    for (ServerServiceDefinition service : services) {
      health.setStatus(service.getServiceDescriptor().getName(), status);
    }
  }

  private void sweep() {
    views.sweep();
    wholeStates.sweep();
    clients.sweep(node -> brain.cluster().nodes().containsKey(node));
    Instant tooOld = Instant.now().minus(options.limits().historyAge());
    cluster.ifPresent(states -> states.feed().forgetBefore(tooOld));
  }

  /** Where the server listens, in the order of the listeners, with the ports that were free. */
  public List<Address> addresses() {
    return open.stream().map(Transport.Open::address).toList();
  }

  /** Current and recent clients; by node, then by client. */
  public List<ClientStatus> clients() {
    return clients.statuses();
  }

  /** Tells clients that want heartbeats since when, and why, the brain's source cannot be read. */
  public void sourceLost(Instant since, String why) {
    heartbeat.sourceLost(since, why);
  }

  /** The brain's source can be read again. */
  public void sourceFound() {
    heartbeat.sourceFound();
  }

  /** Lists a backend of this process that works for {@code node}, and calls itself {@code name}. */
  public LocalBackend backend(String node, String name) {
    ClientProgress backend = new ClientProgress("this process");
    backend.watches(node, name, views.open(node).feed());
    clients.add(backend);
    return backend;
  }

  /** Waits until the server is closed. */
  public void awaitTermination() throws InterruptedException {
    for (Transport.Open listener : open) {
      listener.server().awaitTermination();
    }
  }

  /** Ends all calls, and stops to listen. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    open.forEach(listener -> listener.server().shutdown());
    health.enterTerminalState();
    calls.stop(Status.UNAVAILABLE.withDescription("the brain is stopping"));
    try {
      for (Transport.Open listener : open) {
        if (!listener.server().awaitTermination(LAST_WORDS_SECONDS, TimeUnit.SECONDS)) {
          listener.server().shutdownNow().awaitTermination(LAST_WORDS_SECONDS, TimeUnit.SECONDS);
        }
      }
    } catch (InterruptedException e) {
      open.forEach(listener -> listener.server().shutdownNow());
      Thread.currentThread().interrupt();
    }
    timer.shutdownNow();
    views.close();
    var _ = loops.shutdownGracefully(0, LAST_WORDS_SECONDS, TimeUnit.SECONDS);
  }

  private NodesReply nodes() {
    NodesReply.Builder reply =
        NodesReply.newBuilder()
            .setSource(options.source())
            .setVersion(options.version())
            .setSynced(brain.isSynced());
    for (Map.Entry<String, Node> node : brain.cluster().nodes()) {
      reply.addClusterNodes(node.getKey());
    }
    return ClientList.addTo(reply, clients().stream().map(BrainServer::message).toList());
  }

  private static NodeStatus message(ClientStatus client) {
    return NodeStatus.newBuilder()
        .setNode(client.node())
        .setClient(client.client())
        .setPeer(client.peer())
        .setConnected(client.connected())
        .setRevision(client.revision())
        .setSent(client.sent())
        .setApplied(client.applied())
        .setReports(client.reports())
        .setChangedUnixNanos(nanos(client.changed()))
        .setAppliedUnixNanos(nanos(client.appliedAt()))
        .setBehindSinceUnixNanos(nanos(client.behindSince()))
        .setError(client.error())
        .setAuditedUnixNanos(nanos(client.audit().map(ClientStatus.AuditReport::at)))
        .setAuditDifferences(client.audit().map(ClientStatus.AuditReport::differences).orElse(0L))
        .build();
  }

  private static long nanos(Optional<Instant> time) {
    return time.map(at -> TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + at.getNano()).orElse(0L);
  }
}
