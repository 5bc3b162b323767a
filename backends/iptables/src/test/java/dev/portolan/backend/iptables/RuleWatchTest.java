package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.NodeSettings;
import dev.portolan.conformance.clusters.RandomCluster;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.net.IpFamily;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What another program does to our rules is noticed, whatever we write meanwhile. */
@NeedsKernel(tools = {"ip", "iptables-nft-restore", "iptables-legacy-restore"})
class RuleWatchTest extends KernelFixture {
  private final BlockingQueue<String> suspicions = new LinkedBlockingQueue<>();
  private Backend.Watch watch = () -> {};

  @AfterEach
  void stop() {
    watch.close();
  }

  private void watch(Variant chosen) {
    use(chosen);
    watch = backend.watch(suspicions::add);
    open(NodeSettings.DEFAULT);
    load();
    // The first look is thorough without a reason; a later one only if the watch says why.
    assertThat(audit()).isEmpty();
  }

  /** The first chain of a service of that kind. */
  private String first(String prefix) {
    return saved(IpFamily.IPV4).tables().get(Chains.NAT).keySet().stream()
        .filter(name -> name.startsWith(prefix))
        .findFirst()
        .orElseThrow();
  }

  static Stream<Arguments> injuries() {
    List<List<String>> injuries =
        List.of(
            List.of("-t", "nat", "-F", "KUBE-SERVICES"),
            List.of("-t", "nat", "-F", "KUBE-NODEPORTS"),
            List.of("-t", "nat", "-F", "KUBE-MARK-MASQ"),
            List.of("-t", "nat", "-D", "PREROUTING", "1"),
            List.of("-t", "nat", "-D", "KUBE-SVC-", "1"),
            List.of("-t", "nat", "-R", "KUBE-SEP-", "2", "-j", "ACCEPT"),
            List.of("-t", "nat", "-I", "KUBE-SERVICES", "-j", "RETURN"),
            List.of("-t", "filter", "-F", "KUBE-SERVICES"),
            List.of("-t", "filter", "-F", "KUBE-FORWARD"),
            List.of("-t", "filter", "-D", "FORWARD", "1"));
    return injuries.stream()
        .flatMap(injury ->
            Stream.of(Arguments.of(Variant.NFT, injury), Arguments.of(Variant.LEGACY, injury)));
  }

  @ParameterizedTest
  @MethodSource("injuries")
  void whatAnotherProgramDoesIsSuspectedAndRepaired(Variant chosen, List<String> injury)
      throws InterruptedException {
    watch(chosen);
    assertThat(suspicions).isEmpty();
    Saved whole = saved(IpFamily.IPV4);
    String[] words =
        injury.stream().map(word -> word.endsWith("-") ? first(word) : word).toArray(String[]::new);
    iptables(words);
    assertThat(saved(IpFamily.IPV4)).isNotEqualTo(whole);
    assertThat(Await.next(suspicions))
        .startsWith(
            chosen == Variant.NFT ? "a change by iptables-nft" : "a change of table " + words[1]);
    assertThat(audit()).contains(": missing the ").contains(" (IPv4)");
    assertThat(saved(IpFamily.IPV4)).isEqualTo(whole);
    assertThat(audit()).isEmpty();
    assertThat(backend.preview(view.image())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void rulesOfIpv6AreWatchedToo(Variant chosen) throws InterruptedException {
    watch(chosen);
    Saved whole = saved(IpFamily.IPV6);
    namespace.run(
        Saved.program(chosen, IpFamily.IPV6, "restore").replace("-restore", ""),
        "-t",
        "nat",
        "-F",
        "KUBE-SERVICES");
    assertThat(Await.next(suspicions)).startsWith("a change ");
    assertThat(audit()).contains("missing the rules of KUBE-SERVICES in table nat (IPv6)");
    assertThat(saved(IpFamily.IPV6)).isEqualTo(whole);
  }

  /** However a change falls between our own, which come one after the other. */
  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void ourOwnWritesAreNotSuspectedAndOnesBetweenThemAre(Variant chosen)
      throws InterruptedException {
    watch(chosen);
    for (long seed = 1; seed < 100; seed++) {
      brain.apply(RandomCluster.event(seed));
      sync();
      if (seed % 10 == 0) {
        backend.tidy();
      }
    }
    assertThat(suspicions.poll(3, TimeUnit.SECONDS)).isNull();
    assertThat(audit()).isEmpty();
    iptables("-t", "nat", "-F", "KUBE-SERVICES");
    brain.apply(RandomCluster.event(100));
    sync();
    for (long seed = 101; seed < 120; seed++) {
      brain.apply(RandomCluster.event(seed));
      sync();
    }
    assertThat(Await.next(suspicions)).startsWith("a change ");
    assertThat(audit()).contains("missing the rules of KUBE-SERVICES in table nat (IPv4)");
    suspicions.clear();
    assertThat(suspicions.poll(3, TimeUnit.SECONDS)).as("of our own repair").isNull();
  }
}
