package dev.portolan.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.source.union.HeldSource;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** A command that chooses a node in a cluster and follows it reads the cluster once. */
final class FirstStateTest {
  private static final ClusterImage FIRST = ClusterImage.EMPTY.with(Node.named("worker-1"));
  private static final ClusterImage SECOND = FIRST.with(Node.named("worker-2"));

  private final StringWriter said = new StringWriter();
  private final Remarks remarks =
      new Remarks(Terminal.plain(new PrintWriter(said), new PrintWriter(said, true)));

  private final SourceOptions options = new SourceOptions();

  private HeldSource hold(String from, Source source) {
    CommandLine.populateCommand(options, "--from=" + from);
    return options.hold(source, remarks);
  }

  private ClusterImage first(HeldSource held) {
    return options.first(held, remarks);
  }

  /** Takes states until there are two. */
  private static final class Taker implements Source.Sink {
    private final List<Object> taken = new ArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);

    @Override
    public void apply(ClusterImage newest) {
      taken.add(newest);
      begun.countDown();
    }

    @Override
    public void report(String problem) {
      taken.add(problem);
    }
  }

  @Test
  void theFirstStateIsHandedOverAgainAndTheSourceRunsOnce() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Taker taker = new Taker();
    try (HeldSource held =
        hold(
            "file:shop",
            sink -> {
              runs.incrementAndGet();
              sink.report("a field is unknown");
              sink.apply(FIRST);
              taker.begun.await();
              sink.report("it cannot be read");
              sink.apply(SECOND);
            })) {
      assertThat(first(held)).isSameAs(FIRST);
      assertThat(said.toString()).contains("a field is unknown");
      held.run(taker);
    }
    assertThat(taker.taken).containsExactly(FIRST, "it cannot be read", SECOND);
    assertThat(runs).hasValue(1);
  }

  @Test
  void aFailureBeforeTheFirstStateEndsTheCommand() {
    Source unreachable =
        sink -> {
          sink.retrying(ErrorCode.API_SERVER_UNREACHABLE, "connection refused", "nothing is known");
          new CountDownLatch(1).await();
        };
    try (HeldSource held = hold("kube", unreachable)) {
      assertThatThrownBy(() -> first(held))
          .isInstanceOf(CommandFailure.class)
          .hasMessage(ErrorCode.API_SERVER_UNREACHABLE.mark("connection refused"));
    }
    Source lost =
        sink -> {
          sink.report("connection refused");
          new CountDownLatch(1).await();
        };
    try (HeldSource held = hold("api:unix:///run/brain.sock", lost)) {
      assertThatThrownBy(() -> first(held)).hasMessage("connection refused");
    }
    Source broken =
        sink -> {
          throw new IllegalStateException("a mistake of ours");
        };
    try (HeldSource held = hold("file:shop", broken)) {
      assertThatThrownBy(() -> first(held)).hasMessage("a mistake of ours");
    }
  }
}
