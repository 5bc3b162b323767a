package dev.portolan.conntrack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.conntrack.Conntrack;
import dev.portolan.netlink.conntrack.Flow;
import dev.portolan.netlink.conntrack.FlowFilter;
import dev.portolan.netlink.lab.NeedsKernel;
import dev.portolan.netlink.lab.TestNamespace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@NeedsKernel(tools = {"ip", "conntrack"})
final class FlowEndingBackendTest {
  private static final String DNS = "10.96.0.10";

  @AutoClose private final TestNamespace node = new TestNamespace();
  @AutoClose private final Conntrack conntrack = new Conntrack(node.path());
  private final List<String> calls = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private boolean failing;

  @AutoClose
  private final FlowEndingBackend backend =
      new FlowEndingBackend(new Recording(), node.path(), false, problems::add);

  @Test
  void staleFlowsEndAfterASyncThatSucceeded() {
    insert();
    sync(image(1, "10.244.0.2:5353"));
    assertThat(flows()).hasSize(1);
    failing = true;
    NodeImage moved = image(2, "10.244.0.3:5353");
    assertThatThrownBy(() -> sync(moved)).hasMessage("out of order");
    assertThat(flows()).as("the rules still send them there").hasSize(1);
    failing = false;
    sync(moved);
    assertThat(flows()).isEmpty();
    backend.cleanup();
    assertThat(calls).containsExactly("sync 1", "sync 2", "cleanup");
    assertThat(problems).isEmpty();
  }

  private void sync(NodeImage image) {
    backend.sync(image, NodeDelta.between(NodeImage.unsynced("node"), image));
  }

  private static NodeImage image(long revision, String endpoint) {
    return new Sketch().revision(revision).udp("dns", DNS, endpoint).image();
  }

  private List<Flow> flows() {
    return conntrack.flows(FlowFilter.of(AddressFamily.IPV4, Flow.UDP));
  }

  private void insert() {
    String flow =
        "conntrack -I -p udp -s 10.1.0.9 -d 10.96.0.10 --sport 4001 --dport 53"
            + " --dst-nat 10.244.0.2:5353 --timeout 600";
    node.run(flow.split(" ", -1));
  }

  private final class Recording implements Backend {
    @Override
    public void sync(NodeImage image, NodeDelta delta) {
      if (failing) {
        throw new BackendException("out of order");
      }
      calls.add("sync " + image.revision());
    }

    @Override
    public void cleanup() {
      calls.add("cleanup");
    }
  }
}
