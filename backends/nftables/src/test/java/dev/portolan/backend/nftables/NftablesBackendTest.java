package dev.portolan.backend.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.conformance.clusters.RandomCluster;
import dev.portolan.conntrack.TcpCleaning;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.table.TableText;
import dev.portolan.source.file.Manifests;
import dev.portolan.sync.Keeper;
import dev.portolan.sync.Observer;
import dev.portolan.sync.Pace;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the real kernel has after the backend was at work, each test in a namespace of its own. */
@NeedsKernel(tools = {"ip", "nft"})
class NftablesBackendTest {
  private final Brain brain = new Brain(warning -> {});
  private TestNamespace namespace;
  private NftablesBackend backend;
  private NodeView view;
  private NodeImage applied = NodeImage.unsynced("worker-1");

  @BeforeEach
  void open() {
    namespace = new TestNamespace();
    backend = new NftablesBackend(options(namespace));
    view = brain.open("worker-1", NodeSettings.DEFAULT);
  }

  @AfterEach
  void close() {
    backend.close();
    namespace.close();
  }

  @Test
  void aFamilyThatIsNotServedHasNoTable() {
    load();
    view = brain.open("worker-1", NodeSettings.DEFAULT.with(Set.of(IpFamily.IPV4)));
    applied = NodeImage.unsynced("worker-1");

    sync();
    change();

    try (Nftables kernel = new Nftables(namespace.path())) {
      assertThat(kernel.tables(AddressFamily.IPV4)).contains("portolan");
      assertThat(kernel.tables(AddressFamily.IPV6)).doesNotContain("portolan");
    }
    assertThat(audit()).isZero();
  }

  @Test
  void aFewServicesMayBeWrittenFirstWhereNoneIsServed() {
    assertThat(backend.isBlank()).isTrue();
    brain.apply(Manifests.read(Path.of("../../examples/shop")).image());
    NodeImage image = view.image();
    NamespacedName dns = new NamespacedName("kube-system", "kube-dns");
    backend.sync(
        NodeChange.to(
            NodeImage.of(
                image.revision(),
                image.facts().withoutServiceCidrs(),
                PersistentMap.<NamespacedName, NodeService>empty().with(dns, image.service(dns)))));
    assertThat(backend.isBlank()).isFalse();
    sync();
    assertThat(audit()).isZero();
    try (NftablesBackend later = new NftablesBackend(options(namespace))) {
      assertThat(later.isBlank()).isFalse();
    }
  }

  private static NftablesOptions options(TestNamespace place) {
    return new NftablesOptions("portolan", 14, place.path());
  }

  /** Applies the example cluster. */
  private void load() {
    ClusterImage wanted = Manifests.read(Path.of("../../examples/shop")).image();
    brain.apply(wanted);
    sync();
  }

  /** Takes two services, and the endpoints of a third, away from the example cluster. */
  private void change() {
    brain.apply(
        ClusterDelta.builder()
            .removeService(new NamespacedName("shop", "cart"))
            .removeService(new NamespacedName("shop", "storefront"))
            .removeSlice(new NamespacedName("shop", "web-h7v5p"))
            .build());
    sync();
  }

  private void sync() {
    NodeImage image = view.image();
    backend.sync(NodeChange.between(applied, image));
    applied = image;
  }

  /** How much was not as it should be; it is again. */
  private int audit() {
    return backend.audit(view.image()).repaired();
  }

  private int generation() {
    try (Nftables kernel = new Nftables(namespace.path())) {
      return kernel.generation();
    }
  }

  private static String text(NodeImage image, NftablesOptions options) {
    StringBuilder text = new StringBuilder();
    for (IpFamily family : IpFamily.values()) {
      TableText.print(NftablesBackend.render(image, family, options), options.table(), text);
    }
    return text.toString();
  }

  @Test
  void theKernelHasWhatIsPrinted() {
    load();
    try (TestNamespace other = new TestNamespace()) {
      other.nft(text(view.image(), options(namespace)));
      assertThat(namespace.run("nft", "list", "ruleset"))
          .isEqualTo(other.run("nft", "list", "ruleset"));
    }
  }

  @Test
  void whatNftListsLoadsAgain() {
    load();
    String listing = namespace.run("nft", "list", "ruleset");
    assertThat(listing).contains("comment \"shop/web:http\" : goto tcp-pick-4");
    namespace.runWithInput(listing, "nft", "-c", "-f", "-");
    namespace.run("nft", "flush", "ruleset");
    namespace.nft(listing);
    assertThat(namespace.run("nft", "list", "ruleset")).isEqualTo(listing);
    backend.audit(view.image());
    assertThat(namespace.run("nft", "list", "ruleset")).isEqualTo(listing);
  }

  @Test
  void aSyncThatChangesNothingWritesNothing() {
    load();
    int generation = generation();
    backend.sync(NodeChange.between(view.image(), view.image()));
    assertThat(generation()).isEqualTo(generation);
  }

  @Test
  void aRestartWritesOnlyTheDifference() {
    load();
    int generation = generation();
    try (NftablesBackend restarted = new NftablesBackend(options(namespace))) {
      restarted.sync(NodeChange.to(view.image()));
      assertThat(generation()).isEqualTo(generation);
      assertThat(restarted.audit(view.image())).isEqualTo(Audit.CLEAN);
    }
    String before = namespace.run("nft", "list", "ruleset");
    change();
    try (NftablesBackend restarted = new NftablesBackend(options(namespace))) {
      restarted.sync(NodeChange.to(view.image()));
      restarted.tidy();
      assertThat(restarted.audit(view.image())).isEqualTo(Audit.CLEAN);
      assertThat(namespace.run("nft", "list", "ruleset")).isNotEqualTo(before);
    }
  }

  @Test
  void manyChangesLeaveExactlyWhatIsWanted() {
    sync(0);
    for (long seed = 1; seed < 400; seed++) {
      brain.apply(RandomCluster.event(seed));
      sync();
      if (seed % 10 == 0) {
        assertThat(audit()).as("after event %d", seed).isZero();
      }
    }
    backend.tidy();
    try (TestNamespace other = new TestNamespace();
        NftablesBackend fresh = new NftablesBackend(options(other))) {
      fresh.sync(NodeChange.to(view.image()));
      try (Nftables ours = new Nftables(namespace.path());
          Nftables theirs = new Nftables(other.path())) {
        for (AddressFamily family : AddressFamily.values()) {
          assertThat(names(ours, family)).isEqualTo(names(theirs, family));
        }
      }
    }
  }

  private void sync(long seed) {
    brain.apply(RandomCluster.event(seed));
    view.close();
    view = brain.open("n1", NodeSettings.DEFAULT);
    sync();
  }

  private static List<String> names(Nftables kernel, AddressFamily family) {
    List<String> names = new ArrayList<>();
    kernel.chains(family, "portolan").forEach(chain -> names.add("chain " + chain.name()));
    kernel
        .sets(family, "portolan")
        .forEach(set ->
            names.add(
                "set "
                    + set.name()
                    + " "
                    + kernel.elements(family, "portolan", set.name()).size()));
    return names.stream().sorted().toList();
  }

  @Test
  void sourceRangesHaveChainsWhileAServiceHasThem() {
    load();
    assertThat(namespace.run("nft", "list", "chain", "ip", "portolan", "guard"))
        .contains("@guarded");
    change();
    backend.tidy();
    assertThat(namespace.run("nft", "list", "ruleset"))
        .doesNotContain("chain guard", "pre-dnat")
        .contains("chain services");
    load();
    assertThat(namespace.run("nft", "list", "ruleset")).contains("chain guard");
    assertThat(audit()).isZero();
  }

  @Test
  void aServiceCidrTakesEffectAtOnce() {
    load();
    assertThat(namespace.run("nft", "list", "ruleset")).doesNotContain("10.200.0.0/16");
    brain.apply(
        ClusterDelta.builder().set(new ServiceCidr("more", List.of("10.200.0.0/16"))).build());
    sync();
    assertThat(namespace.run("nft", "list", "chain", "ip", "portolan", "cluster-ip-check"))
        .contains("ip daddr 10.200.0.0/16 drop");
    brain.apply(ClusterDelta.builder().removeServiceCidr("more").build());
    sync();
    assertThat(namespace.run("nft", "list", "ruleset")).doesNotContain("10.200.0.0/16");
  }

  @Test
  void othersAreNeverTouched() {
    namespace.run("nft", "add", "table", "ip", "other");
    namespace.run("nft", "add", "set", "ip", "other", "s", "{ type ipv4_addr; }");
    namespace.run("nft", "add", "table", "inet", "portolan");
    String foreign = namespace.run("nft", "list", "ruleset");
    load();
    change();
    backend.audit(view.image());
    backend.cleanup();
    assertThat(namespace.run("nft", "list", "ruleset")).isEqualTo(foreign);
    backend.cleanup();
  }

  /** Hears of repairs. */
  private static final class Causes implements Observer {
    final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    final CountDownLatch started = new CountDownLatch(1);

    @Override
    public void applied(NodeChange change, Duration took) {
      started.countDown();
    }

    @Override
    public void repaired(int objects, String cause) {
      heard.add(objects + ": " + cause);
    }

    @Override
    public void contested(int repairs, String cause, Duration pause) {
      heard.add(repairs + " times: " + cause);
    }

    @Override
    public void notRepaired(BackendException failure) {
      heard.add(failure.getMessage());
    }
  }

  @Test
  void whatOthersDoToOurTableIsUndone() throws InterruptedException {
    load();
    String listing = namespace.run("nft", "list", "ruleset");
    Causes causes = new Causes();
    // This much damage looks like a contest, in which repairs pause; here only briefly.
    Pace pace = new Pace(Duration.ZERO, Duration.ofMillis(1), Duration.ofHours(1));
    Keeper.Options keeping =
        Keeper.Options.DEFAULT.flows(TcpCleaning.NEVER, namespace.path()).pace(pace);
    Keeper keeper = new Keeper(view, backend, keeping, causes);
    Thread thread = Thread.ofPlatform().daemon().start(() -> keep(keeper));
    try {
      causes.started.await();
      List<String> injuries =
          List.of(
              "flush ruleset",
              "delete table ip6 portolan",
              "flush chain ip portolan services",
              "insert rule ip portolan services drop",
              "delete element ip portolan cluster-ips { 10.96.20.10 }",
              "add element ip portolan cluster-ips { 10.96.99.99 }",
              "add chain ip portolan stranger",
              "add set ip portolan stranger { type ipv4_addr; }",
              "flush map ip portolan service-ips");
      for (String injury : injuries) {
        namespace.nft(injury + "\n");
        assertThat(Await.next(causes.heard)).as(injury).contains("nft");
      }
      assertThat(causes.heard).isEmpty();
    } finally {
      thread.interrupt();
      thread.join();
    }
    backend.tidy();
    assertThat(audit()).isZero();
    assertThat(namespace.run("nft", "list", "ruleset").lines().sorted().toList())
        .isEqualTo(listing.lines().sorted().toList());
  }

  private static void keep(Keeper keeper) {
    try {
      keeper.run();
    } catch (InterruptedException e) {
      // The end of the test.
    }
  }

  @Test
  void anAuditFindsWhatWasNotHeardOf() {
    load();
    namespace.run("nft", "flush", "ruleset");
    assertThat(audit()).isEqualTo(2);
    assertThat(audit()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | flush chain ip portolan services",
        "1 | delete element ip portolan cluster-ips { 10.96.20.10 }",
        "2 | flush ruleset",
        "0 | insert rule ip portolan services drop",
        "0 | add element ip portolan cluster-ips { 10.96.99.99 }",
        "0 | add chain ip portolan stranger",
      })
  void anAuditTellsWhatIsMissingFromWhatIsTooMany(int missing, String injury) {
    load();
    namespace.nft(injury + "\n");
    Audit found = backend.audit(view.image());
    assertThat(found.repaired()).isPositive();
    assertThat(found.missing()).isEqualTo(missing);
  }

  @Test
  void aFailureNamesWhatFailedAndTheNextSyncHealsIt() {
    load();
    backend.close();
    assertThatThrownBy(this::change)
        .isInstanceOf(BackendException.class)
        .hasMessageStartingWith("nftables: ");
    backend = new NftablesBackend(options(namespace));
    sync();
    assertThat(audit()).isZero();
  }

  @Test
  void aTableThatSomebodyElseOwnsIsNamedAndTakenOverWhenHeLeaves() throws Exception {
    String name = namespace.namespace().path().getFileName().toString();
    Process owner = new ProcessBuilder("ip", "netns", "exec", name, "nft", "-i").start();
    try (OutputStream commands = owner.getOutputStream()) {
      commands.write(
          "add table ip portolan { flags owner; comment \"rules of Portolan\"; }\n"
              .getBytes(StandardCharsets.UTF_8));
      commands.flush();
      Await.text("portolan", () -> namespace.run("nft", "list", "tables"));
      for (int i = 0; i < 5; i++) {
        assertThatThrownBy(this::load)
            .isInstanceOf(BackendException.class)
            .hasMessageMatching("nftables: cannot .*\\(ip\\): EPERM: .*");
      }
      assertThat(namespace.run("nft", "list", "tables")).isEqualTo("table ip portolan\n");
    } finally {
      owner.destroy();
      owner.waitFor();
    }
    load();
    assertThat(audit()).isZero();
  }

  @Test
  void aTableOfAnotherProgramIsRefusedAndStays() {
    namespace.nft(
        "table ip6 portolan { chain theirs { type filter hook input priority 0; drop; }; }");
    String theirs = namespace.run("nft", "list", "ruleset");
    assertThatThrownBy(() -> new NftablesBackend(options(namespace)))
        .isInstanceOfSatisfying(
            BackendException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FOREIGN_RULES))
        .hasMessage(
            "nftables: table ip6 portolan belongs to another program: the comment 'rules of"
                + " Portolan' is missing; use another table name");
    // This one was open before the table came.
    assertThatThrownBy(this::load).hasMessageContaining("table ip6 portolan belongs to another");
    assertThat(namespace.run("nft", "list", "ruleset")).isEqualTo(theirs);
  }

  @Test
  void aTableOfAnotherProgramIsReplacedByForceAndHasOurMarkThen() {
    namespace.nft(
        "table ip portolan { chain theirs { type filter hook input priority 0; drop; }; }");
    backend.close();
    backend = NftablesBackend.forced(options(namespace));
    assertThat(backend.foreignTables()).hasToString("[table ip portolan]");
    load();
    assertThat(namespace.run("nft", "list", "table", "ip", "portolan"))
        .contains("comment \"rules of Portolan\"")
        .doesNotContain("theirs");
    assertThat(audit()).isZero();
    backend.close();
    backend = new NftablesBackend(options(namespace));
    assertThat(backend.foreignTables()).isEmpty();
  }

  @Test
  void theTableOfTheProxyThatWeReplaceIsTakenOver() {
    namespace.nft(
        """
        table ip kube-proxy { comment "rules for kube-proxy"; chain services { counter; }; }
        """);
    backend.close();
    backend = new NftablesBackend(new NftablesOptions("kube-proxy", 14, namespace.path()));
    assertThat(backend.foreignTables()).hasToString("[table ip kube-proxy]");
    load();
    assertThat(namespace.run("nft", "list", "table", "ip", "kube-proxy"))
        .contains("comment \"rules of Portolan\"")
        .doesNotContain("rules for kube-proxy");
    assertThat(audit()).isZero();
  }

  @Test
  void aTableThatLosesItsMarkWhileWeRunGetsItBack() {
    load();
    namespace.run("nft", "delete", "table", "ip", "portolan");
    namespace.run("nft", "add", "table", "ip", "portolan");
    assertThat(audit()).isPositive();
    assertThat(namespace.run("nft", "list", "table", "ip", "portolan"))
        .contains("comment \"rules of Portolan\"", "10.96.20.10");
    assertThat(audit()).isZero();
  }

  @Test
  void aPreviewNamesWhatASyncWouldChangeAndChangesNothing() {
    brain.apply(Manifests.read(Path.of("../../examples/shop")).image());
    assertThat(backend.preview(view.image()))
        .startsWith("+ table ip portolan")
        .contains("+ map ip portolan service-ips: 11 elements", "+ table ip6 portolan")
        .allMatch(line -> line.startsWith("+ "));
    assertThat(namespace.run("nft", "list", "ruleset")).isEmpty();
    load();
    assertThat(backend.preview(view.image())).isEmpty();

    namespace.run("nft", "flush", "chain", "ip", "portolan", "services");
    namespace.run("nft", "add", "chain", "ip", "portolan", "theirs");
    namespace.run("nft", "add", "element", "ip", "portolan", "cluster-ips", "{ 10.9.9.9 }");
    namespace.run("nft", "flush", "map", "ip6", "portolan", "service-ips");
    String rules = namespace.run("nft", "list", "ruleset");
    assertThat(backend.preview(view.image()))
        .contains("- chain ip portolan theirs", "- element ip portolan cluster-ips { 0a090909 }")
        .anyMatch(line -> line.matches("~ chain ip portolan services: \\d+ rules"))
        .anyMatch(line -> line.matches("\\+ element ip6 portolan service-ips \\{ fd.* }"));
    assertThat(namespace.run("nft", "list", "ruleset")).isEqualTo(rules);
  }

  @Test
  void whatTheMachineLacksIsSaidInASentence() {
    assertThatThrownBy(() ->
            new NftablesBackend(
                new NftablesOptions("portolan", 14, Optional.of(Path.of("/nonexistent")))))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("/nonexistent");
    assertThatThrownBy(() -> new NftablesOptions("portolan", 32, Optional.empty()))
        .hasMessage("the masquerade bit must be between 0 and 31, not 32");
  }
}
