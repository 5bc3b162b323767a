package dev.portolan.netlink.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsVm;
import org.junit.jupiter.api.Test;

/** Virtual services in a kernel, next to what {@code ipvsadm} says of them. */
@NeedsVm
class IpvsKernelTest {
  @Test
  void whatIpvsadmAddsIsListedAndRemoved() {
    try (TestNamespace namespace = new TestNamespace()) {
      namespace.run("ipvsadm", "-A", "-t", "10.96.0.1:443", "-s", "rr");
      namespace.run("ipvsadm", "-A", "-u", "[fd10:96::a]:53", "-s", "wlc");
      try (Ipvs ipvs = Ipvs.open(namespace.path()).orElseThrow()) {
        assertThat(ipvs.services())
            .extracting(VirtualService::toString)
            .containsExactlyInAnyOrder("tcp 10.96.0.1:443", "udp [fd10:96:0:0:0:0:0:a]:53");
        ipvs.services().forEach(ipvs::delete);
        assertThat(ipvs.services()).isEmpty();
      }
      assertThat(namespace.run("ipvsadm", "-Ln")).doesNotContain("10.96.0.1", "fd10:96::a");
    }
  }
}
