package dev.portolan.backend.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.NftablesMonitor;
import dev.portolan.nftables.RulesNotice;
import dev.portolan.nftables.RulesNotice.Changed;
import dev.portolan.nftables.RulesNotice.Committed;
import dev.portolan.nftables.RulesNotice.Kind;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Many services that are added at once: their endpoints are written in parts, and nothing leads to
 * them before all is there.
 */
@NeedsKernel(tools = {"ip", "nft"})
class ManyServicesTest {
  private static final Duration SILENCE = Duration.ofMillis(200);
  private static final int SERVICES = 1_500;

  @AutoClose private final TestNamespace namespace = new TestNamespace();

  @AutoClose
  private final NftablesBackend backend =
      new NftablesBackend(new NftablesOptions("portolan", 14, namespace.path()));

  private final Brain brain = new Brain(warning -> {});
  private final NodeView view = brain.open("worker-1", NodeSettings.DEFAULT);
  private NodeImage applied = NodeImage.unsynced("worker-1");

  @BeforeEach
  void serveOne() {
    brain.apply(ClusterDelta.builder().set(service(0)).set(slice(0, AddressType.IPV4, 6)).build());
    sync();
    ClusterDelta.Builder delta =
        ClusterDelta.builder().set(new ServiceCidr("all", List.of("10.97.0.0/16")));
    for (int i = 1; i < SERVICES; i++) {
      delta.set(service(i)).set(slice(i, AddressType.IPV4, 6)).set(slice(i, AddressType.IPV6, 2));
    }
    brain.apply(delta.build());
  }

  @Test
  void theyTakeEffectTogether() throws InterruptedException {
    List<Set<String>> transactions;
    try (NftablesMonitor monitor = new NftablesMonitor(namespace.path())) {
      sync();
      transactions = changedSets(monitor);
    }
    List<Set<String>> ahead = transactions.subList(0, transactions.size() - 1);
    assertThat(ahead).contains(Set.of("tcp-endpoints"));
    assertThat(ahead).allMatch(Set.of("tcp-endpoints")::containsAll);
    assertThat(transactions.getLast()).contains("service-ips", "cluster-ips");
    assertThat(backend.audit(applied)).isEqualTo(Audit.CLEAN);

    brain.apply(
        ClusterDelta.builder()
            .removeService(new NamespacedName("many", "s0"))
            .removeService(new NamespacedName("many", "s7"))
            .build());
    sync();
    backend.tidy();
    assertThat(backend.audit(applied))
        .as("counts of what they share are right")
        .isEqualTo(Audit.CLEAN);
  }

  @Test
  void wherePartOfThemIsRefusedNoneIsServedAndTheNextSyncHeals() {
    namespace.nft(
        "add element ip portolan tcp-endpoints { 10.97.4.250 . 80 . 3 : 10.9.9.9 . 8080 }\n");
    assertThatThrownBy(this::sync)
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("add elements of tcp-endpoints");
    assertThat(served()).isEqualTo(1);
    sync();
    assertThat(served()).isEqualTo(SERVICES);
    assertThat(backend.audit(applied)).isEqualTo(Audit.CLEAN);
  }

  @Test
  void theyAreNotTakenForAChangeByOthersWhichIsHeardOfAfterwards() throws Exception {
    BlockingQueue<String> suspicions = new LinkedBlockingQueue<>();
    try (Backend.Watch _ = backend.watch(suspicions::add)) {
      sync();
      assertThat(suspicions).isEmpty();
      namespace.nft("flush map ip portolan service-ips\n");
      assertThat(Await.next(suspicions)).startsWith("a change by nft");
    }
  }

  private void sync() {
    NodeImage image = view.image();
    backend.sync(NodeChange.between(applied, image));
    applied = image;
  }

  private int served() {
    try (Nftables kernel = new Nftables(namespace.path())) {
      return kernel.elements(AddressFamily.IPV4, "portolan", "service-ips").size();
    }
  }

  /** The sets and maps that each transaction added elements to. */
  private static List<Set<String>> changedSets(NftablesMonitor monitor)
      throws InterruptedException {
    List<Set<String>> transactions = new ArrayList<>();
    Set<String> sets = new HashSet<>();
    for (Optional<RulesNotice> notice = monitor.next(SILENCE);
        notice.isPresent();
        notice = monitor.next(SILENCE)) {
      if (notice.get() instanceof Changed changed && changed.kind() == Kind.ELEMENT) {
        sets.add(changed.name());
      } else if (notice.get() instanceof Committed) {
        transactions.add(Set.copyOf(sets));
        sets.clear();
      }
    }
    return transactions;
  }

  private static Service service(int number) {
    return Service.named("many", "s" + number)
        .clusterIps(List.of("10.97." + place(number, "."), "fd00:97::" + place(number, ":")))
        .ports(List.of(new Service.Port("", Protocol.TCP, 80, 0)))
        .build();
  }

  private static EndpointSlice slice(int number, AddressType type, int endpoints) {
    return new EndpointSlice(
        new NamespacedName("many", "s" + number + "-" + type),
        "s" + number,
        type,
        List.of(new EndpointSlice.Port("", Protocol.TCP, 8080)),
        IntStream.rangeClosed(1, endpoints)
            .mapToObj(i ->
                new EndpointSlice.Member(
                    List.of(
                        type == AddressType.IPV4
                            ? "10." + i + "." + place(number, ".")
                            : "fd00:" + i + "::" + place(number, ":")),
                    EndpointSlice.Conditions.READY,
                    "worker-" + i,
                    "",
                    List.of(),
                    List.of(),
                    ""))
            .toList(),
        false,
        null);
  }

  private static String place(int number, String separator) {
    return number / 250 + separator + (1 + number % 250);
  }
}
