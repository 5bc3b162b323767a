package dev.portolan.backend.windows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.conformance.Conformance;
import dev.portolan.conformance.Sizes;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import dev.portolan.testkit.windows.HnsJournal;
import dev.portolan.testkit.windows.NeedsWindows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The conformance kit's exercises, in one process. After every sync everything that the Host
 * Network Service has must be what a new process would write for that image.
 */
@NeedsWindows
final class WindowsConformanceTest {
  private static final Sizes SIZES = new Sizes(20, 50, 50, Duration.ofMinutes(1));

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> itFollowsEveryStream() {
    return Conformance.of(this::open, Checked::applied).with(SIZES).inProcess().stream()
        .map(exercise ->
            DynamicTest.dynamicTest(
                exercise.name(),
                () -> {
                  journal = HnsJournal.startWith(HnsNode.network(HnsNode.NETWORK, "L2Bridge", ""));
                  exercise.check();
                }));
  }

  private HnsJournal journal;

  private Checked open() {
    WindowsOptions options =
        new WindowsOptions(
            "cbr0",
            Optional.empty(),
            true,
            true,
            false,
            "cbr0",
            0,
            folder.resolve("ids"),
            Duration.ZERO);
    return new Checked(new WindowsBackend(options), journal);
  }

  /** Makes the endpoints of the node's pods, as a CNI plugin does, and compares after each sync. */
  private static final class Checked implements Backend {
    private final WindowsBackend backend;
    private final HnsJournal hns;
    private final Set<String> pods = new HashSet<>();
    private volatile NodeImage applied = NodeImage.unsynced("");

    Checked(WindowsBackend backend, HnsJournal hns) {
      this.backend = backend;
      this.hns = hns;
    }

    NodeImage applied() {
      return applied;
    }

    @Override
    public void sync(NodeChange change) {
      change.set().forEach(service -> startPods(change.after(), service));
      backend.sync(change);
      backend.tidy();
      assertThat(backend.preview(change.after())).isEmpty();
      applied = change.after();
    }

    private void startPods(NodeImage image, NodeService service) {
      for (ServicePort port : service.ports()) {
        for (Endpoint endpoint : port.serving()) {
          if (image.facts().isLocal(endpoint) && pods.add(endpoint.address().toString())) {
            hns.append(HnsNode.pod(endpoint.address().toString()));
          }
        }
      }
    }

    @Override
    public void cleanup() {
      backend.cleanup();
    }

    @Override
    public void close() {
      backend.close();
    }
  }
}
