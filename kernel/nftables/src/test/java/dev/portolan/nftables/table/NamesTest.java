package dev.portolan.nftables.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.ServicePortName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that the kernel takes and a person can read. */
final class NamesTest {
  private static ServicePortName port(String namespace, String name, String port) {
    return new ServicePortName(new NamespacedName(namespace, name), port, Protocol.TCP);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", ""})
  void aCommentSaysWhichPortItIs(String name) {
    ServicePortName port = port("shop", "web", name);
    assertThat(Names.port(Names.comment(port), Protocol.TCP)).isEqualTo(port);
  }

  @Test
  void whatIsTooLongIsCutAndStillTellsServicesApart() {
    String longest = "n".repeat(63);
    ServicePortName one = port(longest, longest, "p".repeat(15));
    ServicePortName other = port(longest, longest, "p".repeat(14) + "q");
    assertThat(Names.comment(one)).hasSize(127);
    assertThat(Names.of(one)).hasSizeLessThanOrEqualTo(240).isNotEqualTo(Names.of(other));
  }

  @Test
  void protocolsOfOnePortHaveNamesOfTheirOwn() {
    NamespacedName dns = new NamespacedName("kube-system", "dns");
    assertThat(Names.of(new ServicePortName(dns, "dns", Protocol.UDP)))
        .endsWith("-kube-system/dns/udp/dns")
        .isNotEqualTo(Names.of(new ServicePortName(dns, "dns", Protocol.TCP)));
  }
}
