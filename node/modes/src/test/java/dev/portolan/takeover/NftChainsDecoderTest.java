package dev.portolan.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Hostile;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.TableName;
import dev.portolan.takeover.ChainPlan.Jump;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testbase.Property;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Finds the rules that lead to another chain, and survives what no kernel would send. */
final class NftChainsDecoderTest {
  @Test
  @NeedsKernel
  void jumpsAreFound() {
    try (TestNamespace place = new TestNamespace();
        Nftables kernel = new Nftables(place.path())) {
      place.nft(
          """
          table ip lab {
            chain side { counter drop; }
            chain main { counter; tcp dport 1 jump side; udp dport 2 goto side; accept; }
          }
          """);
      List<Jump> jumps =
          kernel.rules(TableName.of(AddressFamily.IPV4, "lab"), NftChains::jump).stream()
              .flatMap(Optional::stream)
              .toList();
      assertThat(jumps)
          .hasSize(2)
          .allMatch(jump -> jump.from().equals("main") && jump.to().equals("side"));
    }
  }

  @Property(tries = 5_000)
  void damagedRulesNeverCrash(@ForAll long seed) {
    Hostile.feed(seed, List.of(message -> NftChains.jump(Nftables.rule(message.attributes(4)))));
  }
}
