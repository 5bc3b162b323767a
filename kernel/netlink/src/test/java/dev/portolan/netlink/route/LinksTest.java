package dev.portolan.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.netlink.route.LinkNotice.AddressAdded;
import dev.portolan.netlink.route.LinkNotice.AddressRemoved;
import dev.portolan.netlink.route.LinkNotice.LinkChanged;
import dev.portolan.netlink.route.LinkNotice.LinkRemoved;
import dev.portolan.netlink.route.LinkNotice.Lost;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testbase.NeedsVm;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Interfaces and addresses of a real kernel. */
@NeedsKernel
final class LinksTest {
  private static final Duration SILENCE = Duration.ofMillis(200);

  @AutoClose private final TestNamespace place = new TestNamespace();
  @AutoClose private final Links links = new Links(place.path());

  @Test
  void interfacesAndAddressesAreRead() {
    place.ip("link", "add", "one", "type", "veth", "peer", "name", "two");
    place.ip("address", "add", "192.0.2.1/24", "dev", "one");
    place.ip("address", "add", "fd00::1/64", "dev", "one", "nodad");
    Link one =
        links.all().stream().filter(link -> link.name().equals("one")).findFirst().orElseThrow();
    assertThat(one.kind()).isEqualTo("veth");
    assertThat(one.up()).isFalse();
    assertThat(links.all()).anyMatch(Link::loopback).hasSize(3);
    assertThat(links.addresses())
        .filteredOn(address -> address.link() == one.index())
        .extracting(LinkAddress::toString)
        .containsExactlyInAnyOrder("192.0.2.1/24", "fd00:0:0:0:0:0:0:1/64");
  }

  @Test
  void anInterfaceIsRemoved() {
    place.ip("link", "add", "one", "type", "veth", "peer", "name", "two");
    Link one =
        links.all().stream().filter(link -> link.name().equals("one")).findFirst().orElseThrow();
    links.delete(one);
    links.delete(one);
    assertThat(links.all()).extracting(Link::name).containsExactly("lo");
  }

  @NeedsVm // for the kind dummy
  @Test
  void manyAddressesComeAndGoAtOnceAndARefusedOneDoesNotStopTheRest() throws Exception {
    Link dummy = links.ensureDummy("holder");
    assertThat(dummy.kind()).isEqualTo("dummy");
    assertThat(dummy.up()).isFalse();
    assertThat(links.ensureDummy("holder")).isEqualTo(dummy);
    assertThat(links.named("nothing")).isEmpty();
    List<InetAddress> addresses = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      addresses.add(InetAddress.getByAddress(new byte[] {10, 7, (byte) (i / 250), (byte) i}));
      addresses.add(InetAddress.getByName("fd00::" + Integer.toHexString(i + 1)));
    }
    assertThat(links.addAddresses(dummy, addresses)).isEmpty();
    assertThat(links.addAddresses(dummy, addresses)).as("they are there").isEmpty();
    assertThat(on(dummy)).hasSize(1_000).allMatch(address -> !address.tentative());

    List<InetAddress> some = new ArrayList<>(addresses.subList(0, 10));
    some.add(5, InetAddress.getByName("ff02::1"));
    assertThat(links.removeAddresses(dummy, addresses.subList(0, 10))).isEmpty();
    assertThat(links.addAddresses(dummy, some))
        .extracting(refusal -> refusal.address().getHostAddress())
        .containsExactly("ff02:0:0:0:0:0:0:1");
    assertThat(on(dummy)).hasSize(1_000);
    assertThat(links.removeAddresses(dummy, addresses)).isEmpty();
    assertThat(links.removeAddresses(dummy, addresses)).as("they are gone").isEmpty();
    assertThat(on(dummy)).isEmpty();
  }

  private List<LinkAddress> on(Link link) {
    return links.addresses().stream().filter(address -> address.link() == link.index()).toList();
  }

  @Test
  void thousandsOfAddressesAreReadWhole() {
    StringBuilder commands = new StringBuilder();
    for (int i = 0; i < 3_000; i++) {
      commands.append("address add 10.7.").append(i / 250).append('.').append(i % 250);
      commands.append("/32 dev lo\n");
    }
    place.runWithInput(commands.toString(), "ip", "-batch", "-");
    assertThat(links.addresses()).hasSizeGreaterThanOrEqualTo(3_001).doesNotHaveDuplicates();
  }

  @Test
  void changesOfAddressesAreSeen() throws Exception {
    try (LinkMonitor monitor = new LinkMonitor(place.path())) {
      place.ip("link", "add", "one", "type", "veth", "peer", "name", "two");
      assertThat(rest(monitor))
          .anyMatch(n -> n instanceof LinkChanged c && c.link().name().equals("one"));
      place.ip("address", "add", "192.0.2.1/24", "dev", "one");
      assertThat(rest(monitor))
          .anyMatch(
              n -> n instanceof AddressAdded a && a.address().toString().equals("192.0.2.1/24"));
      place.ip("address", "delete", "192.0.2.1/24", "dev", "one");
      assertThat(rest(monitor))
          .anyMatch(
              n -> n instanceof AddressRemoved a && a.address().toString().equals("192.0.2.1/24"));
      place.ip("address", "add", "fd00::1/64", "dev", "one", "nodad");
      assertThat(rest(monitor))
          .anyMatch(n -> n instanceof AddressAdded a && a.address().prefix() == 64);
      place.ip("link", "delete", "one");
      assertThat(rest(monitor))
          .anyMatch(n -> n instanceof LinkRemoved r && r.link().name().equals("one"));
    }
  }

  @Test
  void lostNoticesAreReported() throws Exception {
    try (LinkMonitor monitor = new LinkMonitor(place.path(), 2048)) {
      for (int i = 0; i < 30; i++) {
        place.ip("address", "add", "192.0.2." + i + "/32", "dev", "lo");
      }
      assertThat(rest(monitor)).hasAtLeastOneElementOfType(Lost.class);
    }
  }

  private static List<LinkNotice> rest(LinkMonitor monitor) throws InterruptedException {
    List<LinkNotice> notices = new ArrayList<>();
    for (Optional<LinkNotice> next = monitor.next(SILENCE);
        next.isPresent();
        next = monitor.next(SILENCE)) {
      notices.add(next.get());
    }
    return notices;
  }
}
