package dev.portolan.netlink.ipset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.netlink.lab.NeedsKernel;
import dev.portolan.netlink.lab.TestNamespace;
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
  void aSetInUseStays() {
    place.run("ipset", "create", "used", "hash:ip");
    place.run("iptables", "-A", "INPUT", "-m", "set", "--match-set", "used", "src", "-j", "DROP");
    assertThatThrownBy(() -> sets.destroy("used"))
        .hasMessage("cannot destroy the set used: EBUSY: still in use (a rule uses it)");
    assertThat(sets.names()).containsExactly("used");
  }
}
