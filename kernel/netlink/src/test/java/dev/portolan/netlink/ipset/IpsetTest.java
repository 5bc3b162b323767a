package dev.portolan.netlink.ipset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsKernel;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Sets of a real kernel. */
@NeedsKernel(tools = {"ip", "ipset", "iptables"})
final class IpsetTest {
  @AutoClose private final TestNamespace place = new TestNamespace();
  @AutoClose private final Ipset sets = new Ipset(place.path());

  @Test
  void setsAreListedAndDestroyed() {
    assertThat(sets.names()).isEmpty();
    place.run("ipset", "create", "one", "hash:ip");
    place.run("ipset", "create", "two", "bitmap:port", "range", "0-65535");
    place.run("ipset", "create", "three", "hash:ip,port", "family", "inet6");
    place.run("ipset", "add", "one", "192.0.2.1");
    assertThat(sets.names()).containsExactlyInAnyOrder("one", "two", "three");

    sets.destroy("one");
    sets.destroy("three");
    sets.destroy("three");
    assertThat(sets.names()).containsExactly("two");
  }

  @Test
  void elementsAreListed() {
    place.run("ipset", "create", "addresses", "hash:ip", "family", "inet6");
    place.run("ipset", "add", "addresses", "fd00::1");
    place.run("ipset", "create", "ports", "bitmap:port", "range", "0-65535");
    place.run("ipset", "add", "ports", "30080");
    place.run("ipset", "create", "services", "hash:ip,port");
    place.run("ipset", "add", "services", "10.96.0.10,udp:53");
    place.run("ipset", "create", "sources", "hash:ip,port,net");
    place.run("ipset", "add", "sources", "203.0.113.1,tcp:80,198.51.100.0/24");
    place.run("ipset", "create", "loops", "hash:ip,port,ip");
    place.run("ipset", "create", "networks", "hash:net");
    place.run("ipset", "add", "networks", "10.0.0.0/8");
    assertThat(sets.contents())
        .extracting(it -> it.name() + " " + it.type() + " " + text(it))
        .containsExactlyInAnyOrder(
            "addresses hash:ip [fd00:0:0:0:0:0:0:1/128 0 0]",
            "ports bitmap:port [ 30080 0]",
            "services hash:ip,port [10.96.0.10/32 53 17]",
            "sources hash:ip,port,net [203.0.113.1/32,198.51.100.0/24 80 6]",
            "loops hash:ip,port,ip []",
            "networks hash:net [10.0.0.0/8 0 0]");
  }

  private static List<String> text(IpsetContent set) {
    return set.elements().stream()
        .map(it ->
            it.networks().stream()
                    .map(net -> net.address().getHostAddress() + "/" + net.prefix())
                    .collect(Collectors.joining(","))
                + " "
                + it.port()
                + " "
                + it.protocol())
        .toList();
  }

  @Test
  void aSetInUseStays() {
    place.run("ipset", "create", "used", "hash:ip");
    place.run("iptables", "-A", "INPUT", "-m", "set", "--match-set", "used", "src", "-j", "DROP");
    assertThatThrownBy(() -> sets.destroy("used"))
        .hasMessage("cannot destroy the set used: EBUSY: still in use (a rule uses it)");
    assertThat(sets.names()).containsExactly("used");
  }
}
