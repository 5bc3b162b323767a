package dev.portolan.bench;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.bench.kit.BenchNode;
import dev.portolan.bench.kit.BenchObjects;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.conntrack.Conntrack;
import dev.portolan.netlink.conntrack.Flow;
import dev.portolan.netlink.conntrack.FlowFilter;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How long the first packet of a connection takes to a pod and back, through tables of different
 * sizes. Every packet comes from a port of its own, so each one goes through the rules.
 *
 * <p>One thread is client and endpoint. With two it would show on which processors the kernel has
 * them: all takes twice as long where one has to wake the other on another processor.
 */
final class FirstPacketTime {
  private static final String ADDRESS = "10.99.0.1";
  private static final int ENDPOINT_PORT = 8090;
  private static final int PACKETS = 2_000;
  private static final int ROUNDS = 3;
  private static final int PAIRS = 15;
  private static final int[] SIZES = {1_000, 10_000, 100_000};

  private FirstPacketTime() {}

  static void run(Report report) throws IOException {
    report.progress("the first packet of a connection, through tables of three sizes");
    Map<Integer, List<Double>> medians = new TreeMap<>();
    try (Lab lab = Lab.open()) {
      double warmUp = median(lab, SIZES[0], false);
      report.value("first packet and answer, while all is still cold", warmUp, "us");
      for (int round = 0; round < ROUNDS; round++) {
        for (int size : SIZES) {
          medians.computeIfAbsent(size, key -> new ArrayList<>()).add(median(lab, size, false));
        }
      }
    }
    double smallest = Collections.min(medians.getOrDefault(SIZES[0], List.of()));
    medians.forEach((size, values) -> {
      String what = "first packet and answer at %,d services".formatted(size);
      double best = Collections.min(values);
      report.value(what + ", median", best, "us");
      if (size != SIZES[0]) {
        report.atMost("  in terms of 1,000 services", best / smallest, 1.1, "x");
      }
    });
  }

  /** The same with and without counters, in pairs, since both meet the same machine then. */
  static void counters(Report report) throws IOException {
    report.progress("the first packet of a connection, with and without counters");
    double[] plain = new double[PAIRS];
    double[] ratios = new double[PAIRS];
    try (Lab lab = Lab.open()) {
      double _ = median(lab, SIZES[1], false);
      for (int i = 0; i < PAIRS; i++) {
        boolean countedFirst = i % 2 == 1;
        double first = median(lab, SIZES[1], countedFirst);
        double second = median(lab, SIZES[1], !countedFirst);
        plain[i] = countedFirst ? second : first;
        ratios[i] = countedFirst ? first / second : second / first;
      }
    }
    report.value("first packet and answer without counters", Samples.quantile(plain, 0.5), "us");
    report.atMost(
        "  with counters, in terms of that, median", Samples.quantile(ratios, 0.5), 1.03, "x");
  }

  private static double median(Lab lab, int services, boolean counting) throws IOException {
    BenchNode node =
        new BenchNode(
            Actor.NODE_NAME,
            NodeSettings.DEFAULT,
            new SyntheticCluster(services, 6, 100).all(),
            ClusterDelta.builder().set(service()).set(slice()).build());
    NftablesOptions options =
        NftablesOptions.DEFAULT.in(Optional.of(lab.node().path())).counting(counting);
    forgetConnections(lab);
    try (NftablesBackend backend = new NftablesBackend(options);
        BothEnds ends = new BothEnds(lab)) {
      long _ = node.start(backend);
      double median = Samples.of(0, PACKETS, ends::exchange).micros(0.5);
      backend.cleanup();
      return median;
    }
  }

  /** Ports come again soon; a packet of a known connection would pass the rules by. */
  private static void forgetConnections(Lab lab) {
    try (Conntrack table = new Conntrack(Optional.of(lab.node().path()))) {
      table.delete(table.flows(FlowFilter.of(AddressFamily.IPV4, Flow.UDP)));
    }
  }

  /** Both ends of a connection, with as many sockets as there are questions. */
  private static final class BothEnds implements AutoCloseable {
    private final List<DatagramSocket> clients = new ArrayList<>();
    private final DatagramSocket endpoint;
    private final DatagramPacket question;

    BothEnds(Lab lab) throws IOException {
      question = new DatagramPacket(new byte[] {'?'}, 1, new InetSocketAddress(ADDRESS, 80));
      endpoint =
          lab.at(Actor.POD_A2).<DatagramSocket, IOException>call(() -> socket(ENDPOINT_PORT));
      lab.at(Actor.POD_A1)
          .<Boolean, IOException>call(() -> {
            for (int i = 0; i < PACKETS; i++) {
              clients.add(socket(0));
            }
            return true;
          });
    }

    private static DatagramSocket socket(int port) throws IOException {
      DatagramSocket socket = new DatagramSocket(port);
      socket.setSoTimeout(2_000);
      return socket;
    }

    void exchange(int number) {
      try (DatagramSocket client = clients.get(number)) {
        client.send(question);
        DatagramPacket packet = new DatagramPacket(new byte[1], 1);
        endpoint.receive(packet);
        endpoint.send(packet);
        client.receive(packet);
      } catch (IOException e) {
        throw new IllegalStateException("packet " + number + " was lost", e);
      }
    }

    @Override
    public void close() {
      endpoint.close();
      clients.forEach(DatagramSocket::close);
    }
  }

  private static Service service() {
    NamespacedName name = new NamespacedName("bench", "first-packet");
    return BenchObjects.service(name, ADDRESS, Protocol.UDP).build();
  }

  private static EndpointSlice slice() {
    return BenchObjects.slice(
        new NamespacedName("bench", "first-packet-1"),
        "first-packet",
        Protocol.UDP,
        ENDPOINT_PORT,
        List.of(
            BenchObjects.member(Actor.POD_A2.address(IpFamily.IPV4).toString(), Actor.NODE_NAME)));
  }
}
