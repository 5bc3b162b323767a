package dev.portolan.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.localv1.Position;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.node.NodeImage;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ViewsTest {
  private final Brain brain = new Brain(warning -> {});

  private static Position position(Feed<?> feed, long revision) {
    return Position.newBuilder().setInstance(feed.instance()).setRevision(revision).build();
  }

  @Test
  void allClientsOfANodeShareAViewWhichStaysForAWhile() {
    Views views = new Views(brain, NodeSettings.DEFAULT, Limits.DEFAULT);
    brain.apply(ClusterDelta.EMPTY);
    Views.View first = views.open("n1");
    Views.View second = views.open("n1");
    assertThat(second).isSameAs(first);
    first.close();
    second.close();
    views.sweep();
    assertThat(views.open("n1")).isSameAs(first);
    assertThat(views.size()).isEqualTo(1);
  }

  @Test
  void aViewThatNobodyUsesAnyMoreIsAnotherInstanceWhenItIsOpenedAgain() {
    Views views =
        new Views(brain, NodeSettings.DEFAULT, Limits.DEFAULT.withViews(9, Duration.ZERO));
    brain.apply(ClusterDelta.EMPTY);
    Views.View used = views.open("n1");
    Views.View unused = views.open("n2");
    unused.close();
    views.sweep();
    assertThat(views.size()).isEqualTo(1);
    assertThat(views.open("n1")).isSameAs(used);
    Views.View again = views.open("n2");
    assertThat(again.feed().instance()).isNotEqualTo(unused.feed().instance());
    assertThat(again.feed().newest().revision()).isEqualTo(1);
  }

  @Test
  void theLastStatesAreKeptAndNoMore() {
    Feed<NodeImage> feed = new Feed<>(NodeImage.unsynced("n1"), 3, new AtomicLong());
    assertThat(feed.find(position(feed, 0))).as("an unknown cluster is not a state").isNull();
    for (int revision = 1; revision <= 5; revision++) {
      feed.publish(revision, NodeImage.unsynced("n" + revision));
    }
    assertThat(feed.find(position(feed, 2))).isNull();
    assertThat(feed.find(position(feed, 3))).isNotNull();
    assertThat(feed.find(position(feed, 5))).isEqualTo(feed.newest());
    assertThat(feed.find(position(feed, 6))).isNull();
    feed.publish(4, NodeImage.unsynced("late"));
    assertThat(feed.newest().revision()).isEqualTo(5);
    feed.forgetBefore(Instant.MAX);
    assertThat(feed.find(position(feed, 4))).isNull();
    assertThat(feed.find(position(feed, 5))).as("the newest stays").isNotNull();
  }
}
