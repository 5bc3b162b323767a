package dev.portolan.bench;

import dev.portolan.api.EncodedService;
import dev.portolan.api.transport.Address;
import dev.portolan.bench.daemon.BrainProcess;
import dev.portolan.bench.kit.BenchFolder;
import dev.portolan.bench.kit.BenchNode;
import dev.portolan.bench.kit.BenchObjects;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.bench.traffic.RawClient;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.client.Connection;
import dev.portolan.client.RemoteNode;
import dev.portolan.client.Subscription;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.sync.Keeper;
import dev.portolan.tls.TlsException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** What it costs to be served by a brain in another process. */
final class ApiBench {
  private static final int SERVICES = 10_000;
  private static final int CLIENTS = Bench.variable("BENCH_CLIENTS", 1000);
  private static final int AT_ONCE = 8;

  /** Until then the optimising compilers of both processes are at work. */
  private static final int FIRST_CHANGES = 1_000;

  /** A keeper that is always at work makes changes wait, so that it leaves the node some time. */
  private static final int REST_MILLIS = 5;

  private static final int WARM_UP = 100;
  private static final int CHANGES = 100;
  private static final int NODES = 5_000;
  private static final int EVENTS = 100_000;
  private static final int PATIENCE_SECONDS = 300;

  private ApiBench() {}

  static void run(Report report) throws Exception {
    try (BenchFolder folder = BenchFolder.create();
        BrainProcess brain = BrainProcess.start(folder.file("api.sock"))) {
      Address address = new Address.Unix(folder.file("api.sock"));
      one(report, brain, address);
      many(report, brain, address);
    }
    inProcess(report);
    noise(report);
  }

  /** A keeper at work for a node, whose backend only says when it was called. */
  private static final class Told implements Backend {
    private final BlockingQueue<Long> times = new LinkedBlockingQueue<>();
    private final Connection connection;
    private final Thread runner;

    Told(Address address) throws TlsException {
      connection = Connection.open(address, Optional.empty());
      runner = Thread.ofPlatform().daemon().start(this::run);
    }

    private void run() {
      try (RemoteNode node = RemoteNode.open(connection, Subscription.of("node-0"));
          Keeper keeper = new Keeper(node, this, Keeper.Options.DEFAULT, node.acknowledgement())) {
        keeper.run();
      } catch (InterruptedException e) {
        // It was stopped.
      }
    }

    @Override
    public void sync(NodeChange change) {
      Bench.require(change.after().services().size() == SERVICES);
      times.add(System.nanoTime());
    }

    @Override
    public void cleanup() {}

    long await() throws InterruptedException {
      return Objects.requireNonNull(times.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    void stop() throws InterruptedException {
      runner.interrupt();
      runner.join();
      connection.close();
    }
  }

  private static void one(Report report, BrainProcess brain, Address address) throws Exception {
    report.progress("one client of 10,000 services x 10 endpoints");
    Samples initial =
        Samples.given(
            2,
            5,
            _ -> {
              long start = System.nanoTime();
              Told client = new Told(address);
              long _ = client.await();
              client.stop();
              return System.nanoTime() - start;
            });
    report.atMost("initial state to a client, median", initial.millis(0.5) / 1e3, 1, "s");
    report.value("initial state to a client, slowest", initial.millis(1) / 1e3, "s");
    Told told = new Told(address);
    long _ = told.await();
    Samples changes =
        Samples.given(
            FIRST_CHANGES,
            1_000,
            i -> {
              TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
              long start = brain.change(i * 20 % SERVICES);
              return told.await() - start;
            });
    report.value("one change to the backend's call, median", changes.millis(0.5), "ms");
    report.atMost("one change to the backend's call, p99", changes.millis(0.99), 5, "ms");
    told.stop();
  }

  private static void many(Report report, BrainProcess brain, Address address) throws Exception {
    String clients = "%,d clients".formatted(CLIENTS);
    report.progress(clients + ", a connection each");
    ProcessFigures figures = brain.figures();
    brain.collect();
    double resident = figures.residentSize();
    double before = figures.processorSeconds();
    List<Connection> connections = new ArrayList<>();
    Semaphore places = new Semaphore(AT_ONCE);
    CountDownLatch begun = new CountDownLatch(CLIENTS);
    AtomicReference<CountDownLatch> round = new AtomicReference<>(new CountDownLatch(0));
    AtomicLong last = new AtomicLong();
    long start = System.nanoTime();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        places.acquire();
        Connection connection = Connection.open(address, Optional.empty());
        connections.add(connection);
        boolean[] first = {true};
        RawClient.follow(
            connection,
            SyntheticCluster.name(i),
            Connection.Options.DEFAULT.heartbeat(),
            new LongAdder(),
            time -> {
              if (first[0]) {
                first[0] = false;
                places.release();
                begun.countDown();
              } else {
                last.accumulateAndGet(time, Math::max);
                round.get().countDown();
              }
            });
      }
      Bench.require(begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
      report.value("initial state to " + clients, (System.nanoTime() - start) / 1e9, "s");
      report.value(
          "  processor time of the brain for each",
          1e3 * (figures.processorSeconds() - before) / CLIENTS,
          "ms");
      TimeUnit.SECONDS.sleep(5);
      Samples.Timed<Exception> change =
          i -> {
            CountDownLatch everybody = new CountDownLatch(CLIENTS);
            round.set(everybody);
            last.set(0);
            long written = brain.change(i * 20 % SERVICES);
            Bench.require(everybody.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            return last.get() - written;
          };
      // A brain serves for weeks; what its compiler needs at first is not counted.
      Samples.given(0, WARM_UP, change);
      double idle = figures.processorSeconds();
      Samples changes = Samples.given(0, CHANGES, change);
      double processor = (figures.processorSeconds() - idle) / CHANGES;
      report.value("one change to all " + clients + ", median", changes.millis(0.5), "ms");
      report.atMost(
          "one change to all " + clients + ", slowest", changes.millis(1), 0.25 * CLIENTS, "ms");
      report.atMost("  processor time of the brain for it", 1e3 * processor, 0.05 * CLIENTS, "ms");
      brain.collect();
      report.atMost("resident size of the brain", figures.residentSize(), 600, "MB");
      report.value("  for each client", 1e3 * (figures.residentSize() - resident) / CLIENTS, "kB");
    } finally {
      connections.forEach(Connection::close);
    }
  }

  /** What the brain does for 5,000 nodes at a change, up to the bytes that go out. */
  private static void inProcess(Report report) {
    report.progress("5,000 nodes in this process, with encoding");
    SyntheticCluster cluster = new SyntheticCluster(SERVICES, 10, NODES);
    Brain brain = new Brain(warning -> {});
    brain.apply(cluster.all());
    List<NodeView> views = new ArrayList<>();
    List<NodeImage> held = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      views.add(brain.open(SyntheticCluster.name(i), NodeSettings.DEFAULT));
      held.add(views.getLast().image());
    }
    IdentityHashMap<NodeService, EncodedService> encoded = new IdentityHashMap<>();
    long[] bytes = {0};
    Samples samples =
        Samples.of(
            100,
            200,
            i -> {
              encoded.clear();
              brain.apply(BenchObjects.written(cluster.slice(i * 20 % SERVICES, 1 + i / 500)));
              for (int n = 0; n < NODES; n++) {
                NodeImage now = views.get(n).image();
                for (NodeService service : NodeChange.between(held.get(n), now).set()) {
                  bytes[0] += encoded.computeIfAbsent(service, EncodedService::of).set().size();
                }
                held.set(n, now);
              }
            });
    report.atMost(
        "one change, decided and encoded for 5,000 nodes, p99", samples.millis(0.99), 100, "ms");
    report.value("  sent a change", bytes[0] / 300.0 / 1e6, "MB");
  }

  /** Events that change nothing for a node must not be worth a revision. */
  private static void noise(Report report) {
    report.progress("100,000 events without effect");
    SyntheticCluster cluster = new SyntheticCluster(SERVICES, 10, 100);
    BenchNode node = new BenchNode(cluster.all());
    long revision = node.image().revision();
    Instant time = Instant.parse("2026-01-01T00:00:00Z");
    long start = System.nanoTime();
    for (int i = 0; i < EVENTS; i++) {
      int service = i % SERVICES;
      ClusterDelta.Builder event = ClusterDelta.builder();
      switch (i % 4) {
        case 0 -> event.set(cluster.service(service));
        case 1 -> event.set(later(cluster.slice(service, 0), time.plusSeconds(i)));
        case 2 -> event.set(cluster.node(1 + i % 99));
        default ->
            event.set(
                BenchObjects.copy(cluster.slice(service, 1), "nobody", "gone", Optional.empty()));
      }
      node.brain().apply(event.build());
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    report.atMost(
        "revisions after 100,000 events without effect",
        (double) (node.image().revision() - revision),
        0,
        "");
    report.value("  such events a second", EVENTS / seconds, "/s");
  }

  /** The same endpoints, written again later. */
  private static EndpointSlice later(EndpointSlice slice, Instant time) {
    return BenchObjects.copy(
        slice, slice.name().namespace(), slice.serviceName(), Optional.of(time));
  }
}
