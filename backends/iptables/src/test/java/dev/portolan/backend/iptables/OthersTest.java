package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.net.IpFamily;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Others on the same kernel: their rules stay, what they flush comes back, their lock counts. */
@NeedsKernel(tools = {"ip", "iptables-nft-restore", "iptables-legacy-restore", "flock"})
class OthersTest extends KernelFixture {
  private static final String LOCK =
      Optional.ofNullable(System.getenv("XTABLES_LOCKFILE")).orElse("/run/xtables.lock");

  @TempDir private Path programs;

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void whatARestartFindsAndNobodyWantsGoes(Variant chosen) {
    use(chosen);
    load();
    change();
    assertThat(saved(IpFamily.IPV4).tables().get(Chains.NAT).keySet())
        .as("left for the next restore")
        .anyMatch(chain ->
            !saved(IpFamily.IPV4).toString().contains("-j " + chain) && Chains.isOfService(chain));
    restore(
        """
        *nat
        :KUBE-SVC-AAAAAAAAAAAAAAAA - [0:0]
        :KUBE-SEP-AAAAAAAAAAAAAAAA - [0:0]
        :KUBE-SEP-BBBBBBBBBBBBBBBB - [0:0]
        :KUBE-XLB-AAAAAAAAAAAAAAAA - [0:0]
        :MINE - [0:0]
        -A KUBE-SVC-AAAAAAAAAAAAAAAA -j KUBE-SEP-AAAAAAAAAAAAAAAA
        -A MINE -p tcp -m comment --comment "of mine -j KUBE-SEP-AAAAAAAAAAAAAAAA" -j KUBE-SEP-BBBBBBBBBBBBBBBB
        COMMIT
        """);
    backend = backend();
    open(NodeSettings.DEFAULT);
    sync();
    Set<String> chains = saved(IpFamily.IPV4).tables().get(Chains.NAT).keySet();
    assertThat(chains).contains("MINE", "KUBE-SEP-BBBBBBBBBBBBBBBB");
    assertThat(chains)
        .doesNotContain(
            "KUBE-SVC-AAAAAAAAAAAAAAAA", "KUBE-SEP-AAAAAAAAAAAAAAAA", "KUBE-XLB-AAAAAAAAAAAAAAAA");
    String all = saved(IpFamily.IPV4).toString();
    assertThat(chains)
        .filteredOn(Chains::isOfService)
        .allSatisfy(chain -> assertThat(all).contains("-j " + chain));
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void othersAreNeverTouched(Variant chosen) {
    use(chosen);
    restore(
        """
        *filter
        :DOCKER - [0:0]
        :KUBE-FIREWALL - [0:0]
        :KUBE-NWPLCY-DEFAULT - [0:0]
        -A INPUT -p tcp -m tcp --dport 22 -j ACCEPT
        -A INPUT -j KUBE-FIREWALL
        -A FORWARD -m comment --comment "leads to -j KUBE-SERVICES" -j DOCKER
        -A DOCKER -i nowhere -j DROP
        -A KUBE-FIREWALL -m mark --mark 0x8000/0x8000 -j DROP
        COMMIT
        *nat
        :DOCKER - [0:0]
        -A PREROUTING -m addrtype --dst-type LOCAL -j DOCKER
        -A POSTROUTING -s 172.17.0.0/16 ! -o docker0 -j MASQUERADE
        COMMIT
        *mangle
        :KUBE-KUBELET-CANARY - [0:0]
        -A PREROUTING -i nowhere -j MARK --set-xmark 0x1/0x1
        COMMIT
        *raw
        -A PREROUTING -i nowhere -j DROP
        COMMIT
        """);
    List<String> foreign = saved(IpFamily.IPV4).lines();
    load();
    assertThat(saved(IpFamily.IPV4).lines()).containsAll(foreign);
    change();
    assertThat(audit()).isEmpty();
    assertThat(saved(IpFamily.IPV4).lines()).containsAll(foreign);
    backend.cleanup();
    assertThat(saved(IpFamily.IPV4).lines()).isEqualTo(foreign);
    assertThat(saved(IpFamily.IPV6).ours()).isEmpty();
    backend.cleanup();
  }

  @Test
  void aChainThatSomebodyUsesIsEmptiedAndStays() {
    load();
    iptables("-t", "nat", "-N", "MINE");
    iptables("-t", "nat", "-A", "MINE", "-j", "KUBE-MARK-MASQ");
    backend.cleanup();
    assertThat(saved(IpFamily.IPV4).ours())
        .containsExactly("nat KUBE-MARK-MASQ", "nat MINE -j KUBE-MARK-MASQ");
  }

  static List<Arguments> injuries() {
    List<List<String>> injuries =
        List.of(
            List.of("-t", "nat", "-F"),
            List.of("-F"),
            List.of("-t", "nat", "-F", "KUBE-SERVICES"),
            List.of("-t", "nat", "-F", "KUBE-POSTROUTING"),
            List.of("-t", "nat", "-D", "OUTPUT", "1"),
            List.of("-F", "FORWARD"),
            List.of("-t", "mangle", "-X", "KUBE-PROXY-CANARY"));
    return injuries.stream()
        .flatMap(injury ->
            List.of(Arguments.of(Variant.NFT, injury), Arguments.of(Variant.LEGACY, injury))
                .stream())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("injuries")
  void whatOthersFlushComesBack(Variant chosen, List<String> injury) {
    use(chosen);
    load();
    Saved whole = saved(IpFamily.IPV4);
    iptables(injury.toArray(String[]::new));
    assertThat(audit()).contains("missing the ").contains("IPv4");
    assertThat(audit()).isEmpty();
    assertThat(saved(IpFamily.IPV4)).isEqualTo(whole);
  }

  /** Programs that do as the real ones do, and fail while a file of their name is there. */
  private void useFailing(String... names) throws IOException {
    for (String name : names) {
      Path program = programs.resolve(name);
      Files.writeString(
          program,
          """
          #!/bin/sh
          [ ! -e %s.fails ] || { echo 'a test' >&2; exit 4; }
          exec /usr/sbin/%s "$@"
          """
              .formatted(program, name));
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    backend =
        new IptablesBackend(
            new IptablesOptions(
                14,
                true,
                variant,
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                1000,
                false,
                namespace.path(),
                Stream.concat(Stream.of(programs), IptablesOptions.USUAL_FOLDERS.stream())
                    .toList()));
  }

  private void fails(String name, boolean fails) throws IOException {
    Path mark = programs.resolve(name + ".fails");
    if (fails) {
      Files.createFile(mark);
    } else {
      Files.delete(mark);
    }
  }

  private void assertMissing() {
    assertThatThrownBy(this::audit)
        .isInstanceOfSatisfying(
            BackendException.class, e -> assertThat(e.leavesRulesMissing()).isTrue());
  }

  @Test
  void whatIsMissingInOneFamilyIsSaidWhereTheOtherCannotBeRead() throws IOException {
    useFailing("iptables-nft-save", "ip6tables-nft-restore");
    load();
    namespace.run("ip6tables-nft", "-t", "nat", "-F", "KUBE-SERVICES");
    fails("iptables-nft-save", true);
    fails("ip6tables-nft-restore", true);
    assertMissing();
    fails("ip6tables-nft-restore", false);
    assertThatThrownBy(this::audit)
        .isInstanceOfSatisfying(
            BackendException.class, e -> assertThat(e.leavesRulesMissing()).isFalse());
    fails("iptables-nft-save", false);
    assertThat(audit()).isEmpty();
  }

  @Test
  void aRuleThatCannotBePutBackIsMissingUntilItIs() throws IOException {
    useFailing("iptables-nft-restore");
    load();
    Saved whole = saved(IpFamily.IPV4);
    String chain =
        whole.tables().get(Chains.NAT).keySet().stream()
            .filter(name -> name.startsWith("KUBE-SEP-"))
            .findFirst()
            .orElseThrow();
    iptables("-t", "nat", "-D", chain, "1");
    fails("iptables-nft-restore", true);
    assertMissing();
    assertMissing();
    fails("iptables-nft-restore", false);
    assertThat(audit()).contains(chain);
    assertThat(saved(IpFamily.IPV4)).isEqualTo(whole);
    assertThat(audit()).isEmpty();
  }

  @Test
  void aQuietMomentRemovesWhatAChangeLeft() {
    load();
    change();
    int before = saved(IpFamily.IPV4).lines().size();
    backend.tidy();
    assertThat(saved(IpFamily.IPV4).lines()).hasSizeLessThan(before);
    assertThat(audit()).isEmpty();
  }

  @Test
  void aSyncWaitsForTheLock() throws Exception {
    use(Variant.LEGACY);
    Process holder = new ProcessBuilder("flock", LOCK, "sleep", "1.5").start();
    try {
      awaitLock();
      load();
      assertThat(saved(IpFamily.IPV4).ours()).isNotEmpty();
    } finally {
      holder.destroy();
      holder.waitFor();
    }
  }

  @Test
  void whoWaitsTooLongForTheLockSaysSoAndTheNextSyncHealsIt() throws Exception {
    variant = Variant.LEGACY;
    IptablesOptions impatient =
        new IptablesOptions(
            14,
            true,
            Variant.LEGACY,
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            1000,
            false,
            namespace.path(),
            IptablesOptions.USUAL_FOLDERS);
    backend = new IptablesBackend(impatient);
    Process holder = new ProcessBuilder("flock", LOCK, "sleep", "30").start();
    try {
      awaitLock();
      assertThatThrownBy(this::load)
          .isInstanceOf(BackendException.class)
          .hasMessageMatching(
              "iptables \\(IPv4\\): \\S+/iptables-legacy-restore waited 1 s for the lock of another"
                  + " program that changes rules, and gave up: .*xtables lock.*");
    } finally {
      holder.descendants().forEach(ProcessHandle::destroy);
      holder.destroy();
      holder.waitFor();
    }
    load();
    assertThat(saved(IpFamily.IPV4).ours()).isNotEmpty();
    assertThat(backend.counts().of(IpFamily.IPV4).restoreFailures()).isEqualTo(1);
  }

  private static void awaitLock() throws Exception {
    Await.until(
        "who holds " + LOCK,
        () -> new ProcessBuilder("flock", "-n", LOCK, "true").start().waitFor() != 0);
  }
}
