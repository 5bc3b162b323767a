package dev.portolan.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.node.NodeChange;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A brain and a backend in one process. */
@NeedsKernel(tools = "ip")
final class LocalStageTest {
  /** Leaves flows to the kernel; so its keeper has a connection to it. */
  private static final class Tracked extends Memory {
    private boolean closed;

    @Override
    public void sync(NodeChange change) {
      assertThat(closed).isFalse();
      super.sync(change);
    }

    @Override
    public boolean usesConntrack() {
      return true;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void whatAKeeperHoldsIsLetGoWithIt() throws Exception {
    try (TestNamespace inside = new TestNamespace()) {
      inside
          .namespace()
          .visit(() -> {
            long before = sockets();
            Tracked backend = new Tracked();
            BackendCandidate<Tracked> candidate =
                new BackendCandidate<>(() -> backend, any -> Optional.empty());
            try (LocalStage<Tracked> stage =
                new LocalStage<>(candidate, LargeCluster.NODE, Sizes.SMALL, words -> {})) {
              stage.begin(ClusterImage.EMPTY);
              stage.settle();
              assertThat(sockets()).isGreaterThan(before);
              stage.startOver();
              stage.settle();
              stage.serverGoes();
              stage.serverComes(ClusterImage.EMPTY);
              stage.settle();
            }
            assertThat(backend.closed).isTrue();
            assertThat(sockets()).isEqualTo(before);
            return null;
          });
    }
  }

  private static long sockets() {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(LocalStageTest::isSocket).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException e) {
      return false; // That of the listing itself.
    }
  }
}
