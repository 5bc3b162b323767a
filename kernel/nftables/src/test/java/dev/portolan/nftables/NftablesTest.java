package dev.portolan.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.nftables.SetSpec.Kind;
import dev.portolan.testbase.NeedsKernel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Transactions on a real kernel. */
@NeedsKernel(tools = {"ip", "nft"})
final class NftablesTest {
  private static final int IPV4_TYPE = 7;

  @AutoClose private final TestNamespace place = new TestNamespace();
  @AutoClose private final Nftables nftables = new Nftables(place.path());

  @Test
  void whatIsWrittenCanBeListedAndLoadedAgain() {
    nftables.commit(
        new Batch("lab")
            .addTable("made by a test")
            .addSet(addresses("addresses"))
            .addElements("addresses", elements(0, 2))
            .addChain("pick", Optional.empty(), "picks")
            .addRule(
                "pick",
                new Expressions()
                    .payload(8, Expressions.NETWORK_HEADER, 16, 4)
                    .lookup(8, "addresses", false)
                    .counter()
                    .verdict(NftVerdict.DROP),
                "counted"));
    String listed = place.run("nft", "list", "ruleset");
    assertThat(listed)
        .contains("table ip lab", "comment \"made by a test\"", "elements = { 10.0.0.0, 10.0.0.1 }")
        .contains("ip daddr @addresses counter packets 0 bytes 0 drop comment \"counted\"");
    place.nft("flush ruleset\n" + listed);
    assertThat(place.run("nft", "list", "ruleset")).isEqualTo(listed);
    assertThat(nftables.elements(AddressFamily.IPV4, "lab", "addresses")).hasSize(2);
  }

  @Test
  void aHundredThousandElementsAreOneTransaction() {
    List<Element> elements = elements(0, 100_000);
    nftables.commit(
        new Batch("lab").addTable("").addSet(addresses("large")).addElements("large", elements));
    assertThat(nftables.elements(AddressFamily.IPV4, "lab", "large")).hasSize(100_000);
    nftables.commit(new Batch("lab").deleteElements("large", elements));
    assertThat(nftables.elements(AddressFamily.IPV4, "lab", "large")).isEmpty();
  }

  @Test
  void elementsAreFoundByTheirKeys() {
    nftables.commit(
        new Batch("lab")
            .addTable("")
            .addSet(addresses("some"))
            .addElements("some", elements(0, 3_000))
            .deleteElements("some", elements(1_500, 2))
            .deleteElements("some", elements(1_510, 1)));
    List<@Nullable Element> found =
        nftables.elements(AddressFamily.IPV4, "lab", "some", elements(0, 3_001));
    List<@Nullable Element> expected = new ArrayList<>(elements(0, 3_001));
    for (int missing : List.of(1_500, 1_501, 1_510, 3_000)) {
      expected.set(missing, null);
    }
    assertThat(found).isEqualTo(expected);
    assertThat(nftables.sets(AddressFamily.IPV4, "lab").getFirst().count().orElse(2_997))
        .isEqualTo(2_997);
    nftables.commit(new Batch("lab").flushSet("some"));
    assertThat(nftables.elements(AddressFamily.IPV4, "lab", "some")).isEmpty();
  }

  @Test
  void rulesAreFoundInTheirOrderAndOneIsDeleted() {
    place.nft(
        """
        table ip lab {
          chain side { counter drop; }
          chain main { counter; tcp dport 1 jump side; udp dport 2 goto side; accept; }
        }
        """);
    List<Nftables.RuleInfo> rules = nftables.rules(AddressFamily.IPV4, "lab");
    assertThat(rules)
        .extracting(Nftables.RuleInfo::chain)
        .containsExactly("side", "main", "main", "main", "main");
    nftables.commit(new Batch("lab").deleteRule("main", rules.get(2).handle()));
    assertThat(nftables.rules(AddressFamily.IPV4, "lab"))
        .extracting(Nftables.RuleInfo::handle)
        .containsExactly(
            rules.get(0).handle(),
            rules.get(1).handle(),
            rules.get(3).handle(),
            rules.get(4).handle());
  }

  @Test
  void whatTheKernelRefusesIsNamed() {
    nftables.commit(
        new Batch("lab")
            .addTable("")
            .addSet(services())
            .addChain("used", Optional.empty(), "")
            .addElements(
                "services", List.of(Element.of(new byte[] {10, 0, 0, 1}, goTo("used"), ""))));

    assertRefused(
        new Batch("lab")
            .addElements(
                "services", List.of(Element.of(new byte[] {10, 0, 0, 1}, NftVerdict.DROP, ""))),
        Errno.EEXIST,
        "cannot add elements of services, from 0a000001");
    assertRefused(
        new Batch("lab").addChain("new", Optional.empty(), "").deleteChain("missing"),
        Errno.ENOENT,
        "cannot delete chain missing (ip): ENOENT");
    assertRefused(
        new Batch("lab").addChain("new", Optional.empty(), "").deleteChain("used"),
        Errno.EBUSY,
        "cannot delete chain used");
    assertThat(nftables.chains(AddressFamily.IPV4, "lab")).hasSize(1);
  }

  @Test
  void aStaleGenerationChangesNothing() {
    nftables.commit(new Batch("lab").addTable(""));
    int generation = nftables.generation();
    place.nft("add chain ip lab theirs\n");
    assertThat(nftables.generation()).isEqualTo(generation + 1);
    Batch batch = new Batch("lab").addChain("ours", Optional.empty(), "");
    assertThatThrownBy(() -> nftables.commit(batch, generation))
        .isInstanceOf(NetlinkException.class)
        .hasMessageContaining("ERESTART: another process changed the rules meanwhile");
    assertThat(nftables.chains(AddressFamily.IPV4, "lab")).hasSize(1);
    nftables.commit(batch, generation + 1);
    assertThat(nftables.chains(AddressFamily.IPV4, "lab")).hasSize(2);
  }

  @Test
  void thousandsOfRefusalsAreOneException() {
    nftables.commit(new Batch("lab").addTable(""));
    Batch batch = new Batch("lab").addChain("new", Optional.empty(), "");
    for (int i = 0; i < 50_000; i++) {
      batch.deleteChain("missing" + i);
    }
    assertRefused(batch, Errno.ENOENT, "cannot delete chain missing0 (ip)");
    nftables.commit(new Batch("lab").addChain("next", Optional.empty(), ""));
    assertThat(nftables.chains(AddressFamily.IPV4, "lab")).hasSize(1);
  }

  @Test
  void anAbsentTableHasNothing() {
    assertThat(nftables.chains(AddressFamily.IPV4, "none")).isEmpty();
    assertThat(nftables.rules(AddressFamily.IPV4, "none")).isEmpty();
    assertThat(nftables.sets(AddressFamily.IPV4, "none")).isEmpty();
    assertThat(nftables.elements(AddressFamily.IPV4, "none", "set")).isEmpty();
    assertThat(nftables.tables(AddressFamily.IPV6)).isEmpty();
  }

  /** Pairs of elements come and go in one transaction: a dump never shows half of a pair. */
  @Test
  void aDumpDuringChangesIsRepeated() throws Exception {
    nftables.commit(
        new Batch("lab")
            .addTable("")
            .addSet(addresses("large"))
            .addElements("large", elements(0, 2_000)));
    // One change for each time the set is read, at some moment of it; so a reader never starves.
    int times = 50;
    Semaphore changes = new Semaphore(0);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              try (Nftables theirs = new Nftables(place.path())) {
                for (int i = 0; i < times; i++) {
                  changes.acquire();
                  theirs.commit(
                      new Batch("lab")
                          .deleteElements("large", elements(i % 2 * 2_000, 100))
                          .addElements("large", elements((i + 1) % 2 * 2_000, 100)));
                }
              } catch (Throwable e) {
                failure.set(e);
              }
            });
    try {
      for (int i = 0; i < times; i++) {
        changes.release();
        assertThat(nftables.elements(AddressFamily.IPV4, "lab", "large"))
            .hasSize(2_000)
            .doesNotHaveDuplicates();
      }
    } finally {
      changes.release(times);
      other.join();
    }
    assertThat(failure.get()).isNull();
  }

  private void assertRefused(Batch batch, int errno, String message) {
    assertThatThrownBy(() -> nftables.commit(batch))
        .isInstanceOfSatisfying(NetlinkException.class, e -> assertThat(e.errno()).isEqualTo(errno))
        .hasMessageContaining(message);
  }

  private static NftVerdict goTo(String chain) {
    return NftVerdict.goTo(chain);
  }

  static SetSpec addresses(String name) {
    return new SetSpec(
        name, Kind.SET, IPV4_TYPE, List.of(4), 0, 0, false, 0, 0, false, UserData.ofSet(true, ""));
  }

  private static SetSpec services() {
    return new SetSpec(
        "services",
        Kind.VERDICT_MAP,
        IPV4_TYPE,
        List.of(4),
        SetSpec.VERDICT_TYPE,
        0,
        false,
        0,
        0,
        false,
        UserData.ofSet(true, ""));
  }

  static List<Element> elements(int first, int count) {
    return IntStream.range(first, first + count)
        .mapToObj(i -> Element.of(ByteBuffer.allocate(4).putInt(0x0a000000 + i).array(), ""))
        .toList();
  }
}
