package dev.portolan.bench.traffic;

import dev.portolan.bench.kit.BenchObjects;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.bench.kit.Samples;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A way from one pod of a lab to three endpoints in two others: through services, or directly. How
 * long a connect takes on it, how many there are in a second, and how much passes through one.
 *
 * <p>Connections end with a reset, so that neither end keeps them, and there are many services, so
 * that no two connections soon after each other look alike to connection tracking. The endpoints
 * accept between measurements only: a connect does not wait for that.
 */
public final class ConnectPath implements AutoCloseable {
  private static final int SERVICES = 20;
  private static final int SERVICE_ADDRESSES = 0x0a63_0001;
  private static final int PORT = 8000;
  private static final int FIRST = 5;
  private static final int BACKLOG = 4096;
  private static final int THOUSAND = 1_000;
  private static final int BLOCK = 1 << 18;
  private static final IpFamily FAMILY = IpFamily.IPV4;

  private final String name;
  private final Lab lab;
  private final List<InetSocketAddress> targets;
  private final List<ServerSocketChannel> servers = new ArrayList<>();
  private final List<Long> latencies = new ArrayList<>();
  private final List<Double> processorMicros = new ArrayList<>();
  private final List<Double> rates = new ArrayList<>();
  private final List<Double> throughputs = new ArrayList<>();

  private ConnectPath(String name, Lab lab, int firstPort, List<InetSocketAddress> targets)
      throws IOException {
    this.name = name;
    this.lab = lab;
    this.targets = targets;
    serve(Actor.POD_A2, firstPort);
    serve(Actor.POD_A3, firstPort);
    serve(Actor.POD_A2, firstPort + 1);
  }

  /** To the endpoints themselves. */
  public static ConnectPath direct(String name, Lab lab) throws IOException {
    int port = PORT + 10;
    return new ConnectPath(
        name,
        lab,
        port,
        List.of(
            at(Actor.POD_A2.address(FAMILY), port),
            at(Actor.POD_A3.address(FAMILY), port),
            at(Actor.POD_A2.address(FAMILY), port + 1)));
  }

  /** Through the services of {@link #objects}. */
  public static ConnectPath throughServices(String name, Lab lab) throws IOException {
    List<InetSocketAddress> targets = new ArrayList<>();
    for (int i = 0; i < SERVICES; i++) {
      targets.add(at(Ip.v4(SERVICE_ADDRESSES + i), 80));
    }
    return new ConnectPath(name, lab, PORT, targets);
  }

  private static InetSocketAddress at(Ip address, int port) throws IOException {
    return new InetSocketAddress(InetAddress.getByAddress(address.toBytes()), port);
  }

  /** The lab's node, and the services whose endpoints listen here. */
  public static ClusterDelta objects() {
    ClusterDelta.Builder delta =
        ClusterDelta.builder()
            .set(
                new Node(
                    Actor.NODE_NAME,
                    List.of(Actor.NODE.address(FAMILY).toString()),
                    List.of(),
                    "",
                    List.of("10.244.1.0/24"),
                    false));
    for (int i = 0; i < SERVICES; i++) {
      String service = "connect-" + i;
      delta
          .set(
              BenchObjects.service(
                      new NamespacedName("bench", service),
                      Ip.v4(SERVICE_ADDRESSES + i).toString(),
                      Protocol.TCP)
                  .build())
          .set(slice(service, PORT, Actor.POD_A2, Actor.POD_A3))
          .set(slice(service, PORT + 1, Actor.POD_A2));
    }
    return delta.build();
  }

  private static EndpointSlice slice(String service, int port, Actor... pods) {
    return BenchObjects.slice(
        new NamespacedName("bench", service + "-" + port),
        service,
        Protocol.TCP,
        port,
        Stream.of(pods)
            .map(pod -> BenchObjects.member(pod.address(FAMILY).toString(), Actor.NODE_NAME))
            .toList());
  }

  private void serve(Actor pod, int port) throws IOException {
    ServerSocketChannel server =
        lab.at(pod)
            .call(() ->
                ServerSocketChannel.open(StandardProtocolFamily.INET)
                    .bind(at(pod.address(FAMILY), port), BACKLOG));
    server.configureBlocking(false);
    servers.add(server);
  }

  public String name() {
    return name;
  }

  /** Makes connections one after the other; notes how long each took, and the processor time. */
  public void connect(int times) throws IOException {
    long[] nanos = new long[times];
    client(() -> {
      double before = 0;
      // The first ones of a thread pay for its move into the namespace and the cgroup.
      for (int i = -FIRST; i < times; i++) {
        if (i == 0) {
          before = ProcessFigures.processorSecondsOfThread();
        }
        try (SocketChannel socket = open()) {
          InetSocketAddress target = target(i + FIRST + latencies.size());
          long start = System.nanoTime();
          socket.connect(target);
          nanos[Math.max(0, i)] = System.nanoTime() - start;
        }
      }
      double spent = ProcessFigures.processorSecondsOfThread() - before;
      processorMicros.add(spent / times * 1e6);
    });
    drain();
    Arrays.stream(nanos).forEach(latencies::add);
  }

  /** Makes connections from two threads at once; notes how many per second. */
  public void crowd(int times) throws IOException {
    crowd(times, socket -> {});
  }

  /**
   * The same, and each connection waits for a byte of its endpoint, which answers all the while.
   */
  public void ask(int times) throws IOException {
    try (AnswerLoop _ = new AnswerLoop(servers)) {
      crowd(times, ConnectPath::awaitByte);
    }
  }

  private void crowd(int times, Exchange exchange) throws IOException {
    CyclicBarrier gate = new CyclicBarrier(2);
    List<CompletableFuture<long[]>> both =
        IntStream.range(0, 2)
            .mapToObj(thread ->
                CompletableFuture.supplyAsync(
                    () -> crowd(gate, thread, times, exchange),
                    task -> Thread.ofPlatform().daemon().start(task)))
            .toList();
    long start = both.stream().mapToLong(it -> it.join()[0]).min().orElseThrow();
    long end = both.stream().mapToLong(it -> it.join()[1]).max().orElseThrow();
    rates.add(2 * times / ((end - start) / 1e9));
    drain();
  }

  /** One of them; returns when it began to connect and when it had. */
  private long[] crowd(CyclicBarrier gate, int thread, int times, Exchange exchange) {
    long[] moments = new long[2];
    client(() -> {
      try {
        gate.await(1, TimeUnit.MINUTES);
      } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
        throw new IOException(e);
      }
      moments[0] = System.nanoTime();
      for (int i = 0; i < times; i++) {
        try (SocketChannel socket = open()) {
          socket.connect(target(i * 2 + thread));
          exchange.on(socket);
        }
      }
      moments[1] = System.nanoTime();
    });
    return moments;
  }

  /** Opens connections and reads a byte from each; the caller closes them. */
  public List<SocketChannel> hold(int count) {
    List<SocketChannel> held = new ArrayList<>();
    client(() -> {
      for (int i = 0; i < count; i++) {
        SocketChannel socket = open();
        held.add(socket);
        socket.connect(target(i));
        awaitByte(socket);
      }
    });
    return held;
  }

  /** The endpoints answer, and keep their connections, until this is closed. */
  public AnswerLoop answering() throws IOException {
    return new AnswerLoop(servers);
  }

  private static void awaitByte(SocketChannel socket) throws IOException {
    if (socket.read(ByteBuffer.allocate(1)) < 0) {
      throw new IOException("the endpoint closed without an answer");
    }
  }

  /** What is done over a connection. */
  private interface Exchange {
    void on(SocketChannel socket) throws IOException;
  }

  /** Sends through one connection for a while; notes gigabits per second. */
  public void send(long millis) {
    client(() -> {
      try (SocketChannel socket = open()) {
        socket.connect(target(0));
        CompletableFuture<Long> received = CompletableFuture.supplyAsync(this::receive);
        long start = System.nanoTime();
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(millis)) {
          var _ = socket.write(block.clear());
        }
        socket.shutdownOutput();
        throughputs.add(received.join() * 8.0 / (System.nanoTime() - start));
      }
    });
  }

  /** Reads the one open connection to its end; returns how many bytes that were. */
  private long receive() {
    try {
      while (true) {
        for (ServerSocketChannel server : servers) {
          try (SocketChannel socket = server.accept()) {
            if (socket != null) {
              ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
              long bytes = 0;
              for (int n = 0; n >= 0; n = socket.read(block.clear())) {
                bytes += n;
              }
              return bytes;
            }
          }
        }
        Thread.onSpinWait();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private void client(Work work) {
    lab.at(Actor.POD_A1)
        .run(() -> {
          try {
            work.run();
          } catch (IOException e) {
            throw new UncheckedIOException(name + ": " + e.getMessage(), e);
          }
        });
  }

  private InetSocketAddress target(int i) {
    return targets.get(i % targets.size());
  }

  private static SocketChannel open() throws IOException {
    return SocketChannel.open(StandardProtocolFamily.INET)
        .setOption(StandardSocketOptions.SO_LINGER, 0);
  }

  private void drain() throws IOException {
    for (ServerSocketChannel server : servers) {
      for (SocketChannel socket = server.accept(); socket != null; socket = server.accept()) {
        socket.close();
      }
    }
  }

  /** Forgets what was measured so far: all was still cold. */
  public void forget() {
    latencies.clear();
    processorMicros.clear();
    rates.clear();
    throughputs.clear();
  }

  /**
   * A quantile of how long connects took, in microseconds: that of each thousand, and the median of
   * those, so that a moment in which the machine was busy with something else does not count.
   */
  public double micros(double quantile) {
    List<Double> quantiles = new ArrayList<>();
    for (int from = 0; from < latencies.size(); from += THOUSAND) {
      List<Long> some = latencies.subList(from, Math.min(from + THOUSAND, latencies.size()));
      double[] micros = some.stream().mapToDouble(nanos -> nanos / 1e3).toArray();
      quantiles.add(Samples.quantile(micros, quantile));
    }
    return Samples.median(quantiles);
  }

  /**
   * Microseconds of a processor for one connection, from its socket to its reset, the median. The
   * client's thread carries its packets all the way to the endpoint and back, so its time has the
   * kernel's work for both ends and all rules between, but where a kernel counts interrupts apart
   * (CONFIG_IRQ_TIME_ACCOUNTING). Programs that interrupt it do not count.
   */
  public double processorMicros() {
    return Samples.median(processorMicros);
  }

  /** Connections per second, the median. */
  public double rate() {
    return Samples.median(rates);
  }

  /** Gigabits per second, the median. */
  public double throughput() {
    return Samples.median(throughputs);
  }

  /** Goes several ways in each round, every time another one first. */
  public static void inTurns(List<ConnectPath> paths, int rounds, Passage passage)
      throws IOException {
    List<ConnectPath> order = new ArrayList<>(paths);
    for (int round = 0; round < rounds; round++) {
      for (ConnectPath path : order) {
        passage.on(path);
      }
      Collections.rotate(order, 1);
    }
  }

  /** What is done on a way. */
  public interface Passage {
    void on(ConnectPath path) throws IOException;
  }

  @Override
  public void close() throws IOException {
    for (ServerSocketChannel server : servers) {
      server.close();
    }
  }
}
