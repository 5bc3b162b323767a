package dev.portolan.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.lab.Lab;
import dev.portolan.netlink.lab.NeedsKernel;
import dev.portolan.packets.PacketTable;
import dev.portolan.testkit.Tampering;
import dev.portolan.testkit.peers.NeedsBuilt;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An audit finds whatever is done to the rules of the real kube-proxy. */
@NeedsKernel(tools = {"ip", "sed", "nft", "iptables-nft-restore"})
@NeedsBuilt("kube-proxy")
class TamperedKubeProxyTest {
  @Nested
  class InModeNftables extends Tampered {
    InModeNftables() {
      super("nftables", "nftables-kube-proxy");
    }
  }

  @Nested
  class InModeIptables extends Tampered {
    InModeIptables() {
      super("iptables", "iptables");
    }
  }

  /** One kube-proxy that writes its rules once; they are put back after each time. */
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Tampered {
    private final String mode;
    private final String file;
    private Lab lab;
    private AuditedKubeProxy node;

    Tampered(String mode, String file) {
      this.mode = mode;
      this.file = file;
    }

    @BeforeAll
    void build() {
      lab = Lab.open();
      node = new AuditedKubeProxy(lab, mode, PacketTable.all().getFirst().settings());
    }

    @AfterAll
    void tearDown() {
      node.close();
      lab.close();
    }

    List<Tampering> tamperings() {
      return Tampering.all(file);
    }

    @ParameterizedTest
    @MethodSource("tamperings")
    void itIsFound(Tampering tampering) {
      node.restoring(() -> {
        assertThat(node.audit().differences()).isEmpty();
        node.run(
            mode.equals("nftables")
                ? tampering.onTable("kube-proxy")
                : tampering.onIptables("iptables-nft"));
        List<String> found =
            node.audit().differences().stream().map(AuditDifference::toString).toList();
        if (tampering.byPackets()) {
          assertThat(found).anyMatch(line -> line.contains(tampering.finds()));
        } else {
          assertThat(found).isEmpty();
        }
      });
    }
  }
}
