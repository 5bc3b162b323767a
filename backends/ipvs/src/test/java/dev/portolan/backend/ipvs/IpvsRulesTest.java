package dev.portolan.backend.ipvs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.conformance.clusters.RandomCluster;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.table.TableState;
import dev.portolan.nftables.table.TableText;
import dev.portolan.source.file.Manifests;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The table beside the virtual servers, in a kernel that needs no IPVS for it. */
@NeedsKernel(tools = {"ip", "nft"})
class IpvsRulesTest {
  private static final NodeAddresses NODE = new NodeAddresses(Set.of());

  private final Brain brain = new Brain(warning -> {});
  private TestNamespace namespace;
  private IpvsOptions options;
  private IpvsRules rules;
  private NodeView view;
  private NodeImage applied = NodeImage.unsynced("worker-1");

  @BeforeEach
  void open() {
    namespace = new TestNamespace();
    options = IpvsOptions.DEFAULT.in(namespace.path());
    rules = new IpvsRules(options);
    view = brain.open("worker-1", NodeSettings.DEFAULT);
  }

  @AfterEach
  void close() {
    rules.close();
    namespace.close();
  }

  private void load() {
    brain.apply(Manifests.read(Path.of("../../examples/shop")).image());
    reconcile();
  }

  private int reconcile() {
    applied = view.image();
    return rules.reconcile(applied, NODE);
  }

  private void change() {
    NodeChange change = NodeChange.between(applied, view.image());
    if (change.factsChanged()) {
      reconcile();
      return;
    }
    rules.change(change, NODE);
    applied = change.after();
  }

  private String listing() {
    return namespace.run("nft", "list", "ruleset");
  }

  private int generation() {
    try (Nftables kernel = new Nftables(namespace.path())) {
      return kernel.generation();
    }
  }

  private static String text(NodeImage image) {
    StringBuilder text = new StringBuilder();
    for (IpFamily family : IpFamily.values()) {
      TableState state = IpvsRules.render(image, family, IpvsOptions.DEFAULT);
      TableText.print(state, IpvsOptions.TABLE, text);
    }
    return text.toString();
  }

  @Test
  void theTableOfTheExampleIsAsItWasReviewed() throws IOException {
    brain.apply(Manifests.read(Path.of("../../examples/shop")).image());
    try (InputStream reviewed =
        Objects.requireNonNull(IpvsRulesTest.class.getResourceAsStream("/shop-worker-1.nft"))) {
      assertThat(text(view.image()))
          .isEqualTo(new String(reviewed.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void theKernelHasWhatIsPrinted() {
    load();
    try (TestNamespace other = new TestNamespace()) {
      other.nft(text(view.image()));
      assertThat(listing()).isEqualTo(other.run("nft", "list", "ruleset"));
    }
  }

  @Test
  void aRestartWritesOnlyWhatDiffers() {
    load();
    int generation = generation();
    try (IpvsRules restarted = new IpvsRules(options)) {
      assertThat(restarted.reconcile(view.image(), NODE)).isZero();
      assertThat(generation()).isEqualTo(generation);
      namespace.run("nft", "flush", "set", "ip", "portolan-ipvs", "nodeports");
      assertThat(restarted.preview(view.image(), NODE))
          .isNotEmpty()
          .allMatch(line -> line.startsWith("+ element ip portolan-ipvs nodeports { tcp . "));
      assertThat(restarted.reconcile(view.image(), NODE)).isPositive();
      assertThat(restarted.preview(view.image(), NODE)).isEmpty();
    }
  }

  @Test
  void aServiceThatGoesIsOneTransactionOfItsElements() {
    load();
    List<String> before = listing().lines().toList();
    int generation = generation();
    brain.apply(
        ClusterDelta.builder().removeService(new NamespacedName("shop", "storefront")).build());
    change();
    assertThat(generation()).isEqualTo(generation + 1);
    assertThat(listing()).doesNotContain("shop/storefront");
    assertThat(before).anyMatch(line -> line.contains("shop/storefront"));
    rules.tidy();
    assertThat(rules.preview(view.image(), NODE)).isEmpty();
  }

  @Test
  void whatAChangeLeavesOverIsNoDifference() {
    load();
    brain.apply(
        ClusterDelta.builder().removeService(new NamespacedName("shop", "storefront")).build());
    change();
    assertThat(namespace.run("nft", "list", "set", "ip", "portolan-ipvs", "hairpin"))
        .contains("10.244.1.41 . 10.244.1.41");
    assertThat(reconcile()).isZero();
    assertThat(namespace.run("nft", "list", "set", "ip", "portolan-ipvs", "hairpin"))
        .doesNotContain("10.244.1.41 . 10.244.1.41");
  }

  @Test
  void leftoversThatAreGoneAlreadyDoNotKeepTheRestFromBeingRepaired() {
    load();
    brain.apply(
        ClusterDelta.builder().removeService(new NamespacedName("shop", "storefront")).build());
    change();
    namespace.run("nft", "delete", "table", "ip", "portolan-ipvs");
    assertThat(reconcile()).isPositive();
    assertThat(rules.preview(view.image(), NODE)).isEmpty();
  }

  @Test
  void manyChangesLeaveExactlyWhatIsWanted() {
    view.close();
    view = brain.open("n1", NodeSettings.DEFAULT);
    brain.apply(RandomCluster.event(0));
    reconcile();
    for (long seed = 1; seed < 200; seed++) {
      brain.apply(RandomCluster.event(seed));
      change();
    }
    rules.tidy();
    assertThat(rules.preview(view.image(), NODE)).isEmpty();
  }

  @Test
  void anAddressOfTheNodeItselfIsNotClosed() {
    load();
    assertThat(namespace.run("nft", "list", "set", "ip", "portolan-ipvs", "addresses"))
        .contains("203.0.113.");
    Ip own = Ip.of("203.0.113.10");
    rules.reconcile(view.image(), new NodeAddresses(Set.of(own)));
    assertThat(namespace.run("nft", "list", "set", "ip", "portolan-ipvs", "addresses"))
        .doesNotContain(own.toString());
    assertThat(listing()).contains(own + " . tcp");
  }

  @Test
  void whatAnotherProgramChangesIsNoticedAndRepaired() throws InterruptedException {
    load();
    BlockingQueue<String> suspicions = new LinkedBlockingQueue<>();
    try (Backend.Watch _ = rules.watch(suspicions::add)) {
      namespace.run("nft", "delete", "table", "ip", "portolan-ipvs");
      assertThat(Await.next(suspicions)).startsWith("a change by nft");
    }
    assertThat(reconcile()).isPositive();
    assertThat(rules.preview(view.image(), NODE)).isEmpty();
    rules.remove();
    assertThat(rules.areMissing()).isTrue();
  }

  @Test
  void aTableOfAnotherProgramIsLeftAlone() {
    namespace.run("nft", "add", "table", "ip", "portolan-ipvs");
    assertThatThrownBy(() -> new IpvsRules(options))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("table ip portolan-ipvs belongs to another program");
  }
}
