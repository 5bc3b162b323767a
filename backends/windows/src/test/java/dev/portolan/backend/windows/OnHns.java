package dev.portolan.backend.windows;

import static dev.portolan.backend.windows.HnsNode.NETWORK;
import static dev.portolan.backend.windows.HnsNode.network;
import static dev.portolan.backend.windows.HnsNode.pod;
import static dev.portolan.backend.windows.TestService.image;

import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.testkit.windows.HnsJournal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A node with a Host Network Service, and what is done with it in every test. */
abstract class OnHns {
  static final NodeImage NOTHING = NodeImage.unsynced(TestService.NODE);

  @TempDir Path folder;
  HnsJournal hns;
  NodeImage applied = NOTHING;

  @BeforeEach
  void aNode() {
    hns = HnsJournal.startWith(network(NETWORK, "L2Bridge", ""), pod("10.1.7.5"));
    hns.mark();
  }

  WindowsBackend open() {
    return new WindowsBackend(options("cbr0"));
  }

  WindowsOptions options(String name) {
    return new WindowsOptions(
        name,
        Optional.empty(),
        false,
        true,
        false,
        "cbr0",
        0,
        folder.resolve("ids"),
        Duration.ZERO);
  }

  /** A change of a backend that has applied the image before. */
  void sync(WindowsBackend backend, TestService... services) {
    NodeImage next = image(applied.revision() + 1, services);
    backend.sync(NodeChange.between(applied, next));
    applied = next;
  }

  /** The first change of a new process. */
  void syncFirst(WindowsBackend backend, TestService... services) {
    applied = NOTHING;
    sync(backend, services);
  }
}
