package dev.portolan.backend.userspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.conformance.packets.BackendUnderTest;
import dev.portolan.core.backend.Audit;
import dev.portolan.netlink.lab.NeedsKernel;
import dev.portolan.testkit.TrafficContract;
import java.time.Duration;

/** Connections through portals while rules and endpoints change. */
@NeedsKernel(tools = {"ip", "nft"})
class TrafficTest extends TrafficContract {
  @Override
  protected BackendUnderTest backend() {
    UserspaceOptions options =
        UserspaceOptions.DEFAULT.in(lab.node().path()).drain(Duration.ofSeconds(10));
    return () -> new UserspaceBackend(options);
  }

  @Override
  protected int changes() {
    return 500;
  }

  @Override
  protected void assertNothingStale() {
    node.backend().tidy();
    assertThat(node.backend().audit(node.image())).isEqualTo(Audit.CLEAN);
  }

  @Override
  protected void assertNothingLeft() {
    assertThat(lab.node().exec("nft", "list", "ruleset")).isEmpty();
  }
}
