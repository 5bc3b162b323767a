package dev.portolan.status;

import static dev.portolan.status.Services.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodePortAddresses;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CheckAddressesTest {
  private static final List<Ip> HOST =
      Stream.of("10.0.0.1", "10.0.1.1", "127.0.0.1", "fd00::1", "fd01::1").map(Ip::of).toList();

  @ParameterizedTest
  @CsvSource({
    "all,              all,      0.0.0.0:9",
    "all,              off,      0.0.0.0:9 only",
    "all,              none,     0.0.0.0:9 only",
    "all,              fd00::/16, 0.0.0.0:9 only [fd00::1]:9 only",
    "10.0.0.1/32,      none,     10.0.0.1:9 only",
    "10.0.0.0/16,      fd01::1/128, 10.0.0.1:9 only 10.0.1.1:9 only [fd01::1]:9 only",
    "127.0.0.0/8,      none,     127.0.0.1:9 only",
    "10.0.0.1/32,      all,      10.0.0.1:9 only [fd00::1]:9 only [fd01::1]:9 only",
    "off,              all,      [fd00::1]:9 only [fd01::1]:9 only",
    "192.168.0.0/16,   none,     ''",
  })
  void nodePortAddressesSayWhere(String ipv4, String ipv6, String expected) {
    Set<IpFamily> families =
        ipv4.equals("off")
            ? Set.of(IpFamily.IPV6)
            : ipv6.equals("off") ? Set.of(IpFamily.IPV4) : Set.of(IpFamily.values());
    NodeFacts facts = Services.facts(families, addresses(ipv4), addresses(ipv6));

    List<String> shown =
        CheckAddresses.of(facts, () -> HOST).stream()
            .map(address -> address.withPort(9) + (address.oneFamily() ? " only" : ""))
            .toList();
    assertThat(String.join(" ", shown)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"all, all", "all, off", "all, none", "none, none"})
  void theHostIsNotAskedInVain(String ipv4, String ipv6) {
    Set<IpFamily> families = ipv6.equals("off") ? Set.of(IpFamily.IPV4) : Set.of(IpFamily.values());
    NodeFacts facts = Services.facts(families, addresses(ipv4), addresses(ipv6));
    CheckAddresses.of(
        facts,
        () -> {
          throw new AssertionError("the host's addresses do not matter");
        });
  }

  private static NodePortAddresses addresses(String text) {
    return switch (text) {
      case "all", "off" -> NodePortAddresses.ALL;
      case "none" -> NodePortAddresses.NONE;
      default -> on(text);
    };
  }

  @Test
  void theHostHasALoopbackAddress() {
    assertThat(CheckAddresses.ofHost()).contains(Ip.of("127.0.0.1"));
  }
}
