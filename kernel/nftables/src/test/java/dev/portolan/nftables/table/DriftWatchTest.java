package dev.portolan.nftables.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.nftables.Batch;
import dev.portolan.nftables.Nftables;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Changes by others, also while much of ours is written. */
@NeedsKernel(tools = {"ip", "nft"})
class DriftWatchTest {
  private final BlockingQueue<String> suspicions = new LinkedBlockingQueue<>();

  @AutoClose private final TestNamespace place = new TestNamespace();
  @AutoClose private final Nftables kernel = new Nftables(place.path());

  @AutoClose
  private final DriftWatch watch =
      new DriftWatch("lab", place.path(), kernel.port(), suspicions::add);

  @Test
  void aChangeBySomebodyElseInAPauseIsSuspected() throws InterruptedException {
    int transactions =
        watch.pause(
            kernel,
            () -> {
              kernel.commit(new Batch("lab").addTable(""));
              place.nft("add chain ip lab theirs\n");
              kernel.commit(new Batch("lab").addChain("ours", Optional.empty(), ""));
              return 2;
            });
    assertThat(transactions).isEqualTo(2);
    assertThat(suspicions).containsExactly("a change by another program while ours was written");
  }

  @Test
  void afterAPauseInWhichNobodyElseChangedAnythingOthersAreHeardAgain() throws Exception {
    watch.pause(
        kernel,
        () -> {
          kernel.commit(new Batch("lab").addTable(""));
          return 1;
        });
    assertThat(suspicions).isEmpty();
    place.nft("add chain ip lab theirs\n");
    assertThat(Await.next(suspicions)).startsWith("a change by nft");
  }
}
