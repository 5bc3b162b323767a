package dev.portolan.source.union;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Source;
import dev.portolan.testbase.Await;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

final class HeldSourceTest {
  private static final Node NODE =
      new Node("n1", List.of("172.18.0.2"), List.of(), "", List.of(), false);
  private static final ClusterImage WITHOUT = ClusterImage.EMPTY;
  private static final ClusterImage WITH = WITHOUT.with(NODE);
  private static final ClusterImage OTHER = WITHOUT.with(NODE.asLeaving());

  private final BlockingQueue<ClusterImage> read = new LinkedBlockingQueue<>();
  private final BlockingQueue<ClusterImage> taken = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final Source source =
      sink -> {
        while (true) {
          sink.apply(read.take());
        }
      };
  private final HeldSource.Listener listener =
      new HeldSource.Listener() {
        @Override
        public void nodeChanged(Node node) {
          heard.add("changed, leaving " + node.leaving());
        }

        @Override
        public void nodeDeleted() {
          heard.add("deleted");
        }

        @Override
        public void problem(String sentence) {
          heard.add(sentence);
        }
      };

  private final Source.Sink sink =
      new Source.Sink() {
        @Override
        public void apply(ClusterImage newest) {
          taken.add(newest);
        }

        @Override
        public void report(String problem) {
          heard.add(problem);
        }
      };

  private Thread run(HeldSource held) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            held.run(sink);
          } catch (InterruptedException e) {
            // The test is over.
          }
        });
  }

  @Test
  void onlyTheNewestOfWhatWasHeldBackIsHandedOver() throws Exception {
    try (HeldSource held = new HeldSource(source, "n1", listener)) {
      read.addAll(List.of(WITHOUT, WITH, OTHER));
      assertThat(held.awaitNode(Node::leaving, Await.PATIENCE)).contains(NODE.asLeaving());
      Thread taking = run(held);
      assertThat(Await.next(taken)).isEqualTo(OTHER);
      read.add(WITH);
      assertThat(Await.next(taken)).isEqualTo(WITH);
      taking.interrupt();
      taking.join();
      assertThat(heard).containsExactly("changed, leaving true", "changed, leaving false");
    }
  }

  @Test
  void aNodeThatIsDeletedBeforeItIsTakenIsHandedOverFirst() throws Exception {
    try (HeldSource held = new HeldSource(source, "n1", listener)) {
      read.addAll(List.of(WITH, WITHOUT));
      assertThat(held.awaitNode(node -> true, Await.PATIENCE)).contains(NODE);
      assertThat(Await.next(heard)).isEqualTo("deleted");
      Thread taking = run(held);
      assertThat(Await.next(taken)).isEqualTo(WITH);
      assertThat(Await.next(taken)).isEqualTo(WITHOUT);
      taking.interrupt();
      taking.join();
    }
  }

  @Test
  void theFirstStateIsNotKeptWhenThereIsAnother() throws Exception {
    try (HeldSource held = new HeldSource(source, "n1", listener)) {
      WeakReference<ClusterImage> first = readOneMore();
      assertThat(held.awaitNode(node -> true, Await.PATIENCE)).contains(NODE);
      Thread taking = run(held);
      assertThat(Await.next(taken)).isEqualTo(WITH);
      read.add(OTHER);
      assertThat(Await.next(taken)).isEqualTo(OTHER);
      Await.until(
          "the first is let go",
          () -> {
            System.gc();
            return first.refersTo(null);
          });
      taking.interrupt();
      taking.join();
    }
  }

  /** Lets the source have a state that nothing here refers to. */
  private WeakReference<ClusterImage> readOneMore() {
    ClusterImage image = WITHOUT.with(NODE);
    read.add(image);
    return new WeakReference<>(image);
  }
}
