package dev.portolan.source.union;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.testbase.Await;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class UnitedSourceTest {
  private final Script own = new Script(Optional.of("own.yaml:3"));
  private final Script live = new Script(Optional.empty());
  private final UnitedSource united =
      new UnitedSource(
          List.of(new UnitedSource.Named("file:own", own), new UnitedSource.Named("kube", live)));
  private final BlockingQueue<ClusterImage> images = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> reports = new LinkedBlockingQueue<>();

  @Test
  void theFirstSourceThatHasAnObjectCounts() throws Exception {
    try (Running _ = new Running()) {
      live.hand(service("web", "10.0.0.1"), service("cart", "10.0.0.2"));
      own.hand(service("web", "10.9.9.9"));

      ClusterImage both = take();
      assertThat(ip(both, "web")).isEqualTo("10.9.9.9");
      assertThat(ip(both, "cart")).isEqualTo("10.0.0.2");
      assertThat(reports.take())
          .isEqualTo("kube: Service shop/web: already in a source before it, which counts");
      assertThat(united.place(ObjectRef.service(name("web")))).contains("own.yaml:3");
      assertThat(united.place(ObjectRef.service(name("cart")))).contains("kube");
      assertThat(united.place(ObjectRef.service(name("none")))).isEmpty();

      own.hand();
      assertThat(ip(take(), "web")).isEqualTo("10.0.0.1");

      live.hand(service("web", "10.0.0.1"), service("cart", "10.0.0.3"));
      ClusterImage last = take();
      assertThat(ip(last, "cart")).isEqualTo("10.0.0.3");
      assertThat(reports).isEmpty();
    }
  }

  @Test
  void whichIsLargerMakesNoDifference() {
    ClusterImage small = image(service("web", "10.9.9.9"));
    ClusterImage large = image(service("web", "10.0.0.1"), service("cart", "10.0.0.2"));

    ClusterUnion smallFirst = ClusterUnion.of(List.of(small, large));
    assertThat(ip(smallFirst.image(), "web")).isEqualTo("10.9.9.9");
    assertThat(smallFirst.repeated())
        .containsExactly(List.of(), List.of(ObjectRef.service(name("web"))));

    ClusterUnion largeFirst = ClusterUnion.of(List.of(large, small, small));
    assertThat(largeFirst.image()).isEqualTo(large);
    assertThat(largeFirst.repeated().subList(1, 3))
        .containsOnly(List.of(ObjectRef.service(name("web"))));
  }

  @Test
  void aFailureOfOneEndsAll() {
    Source broken =
        sink -> {
          throw new IllegalStateException("broken");
        };
    UnitedSource both =
        new UnitedSource(
            List.of(new UnitedSource.Named("a", live), new UnitedSource.Named("b", broken)));
    assertThatThrownBy(() -> both.run(new Taker())).hasMessage("broken");
  }

  @Test
  void allIsReadAgainOnlyWhenNothingFailsAnyMore() throws Exception {
    try (Running _ = new Running()) {
      own.fail("own is broken");
      assertThat(reports.take()).isEqualTo("own is broken [PORT-102]");
      live.fail("live is away");
      assertThat(reports.take()).isEqualTo("live is away [PORT-102]");
      live.recover();
      assertThat(reports.take()).as("what is still so").isEqualTo("own is broken [PORT-102]");
      live.recover();
      own.recover();
      assertThat(reports.take()).isEqualTo("recovered");
    }
  }

  private ClusterImage take() throws InterruptedException {
    return images.take();
  }

  private static String ip(ClusterImage image, String name) {
    return Objects.requireNonNull(image.services().get(name(name))).clusterIps().getFirst();
  }

  private static NamespacedName name(String name) {
    return new NamespacedName("shop", name);
  }

  private static Service service(String name, String ip) {
    return Service.named("shop", name).clusterIps(List.of(ip)).build();
  }

  private static ClusterImage image(Service... services) {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (Service service : services) {
      delta.set(service);
    }
    return delta.build().applyTo(ClusterImage.EMPTY);
  }

  /** Runs the source until it is closed. */
  private final class Running implements AutoCloseable {
    private final Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                united.run(new Taker());
              } catch (InterruptedException e) {
                // The test is over.
              }
            });

    @Override
    public void close() {
      thread.interrupt();
      Await.until("the source's end", () -> !thread.isAlive());
    }
  }

  private final class Taker implements Source.Sink {
    @Override
    public void apply(ClusterImage newest) {
      images.add(newest);
    }

    @Override
    public void report(String problem) {
      reports.add(problem);
    }

    @Override
    public void recovered() {
      reports.add("recovered");
    }
  }

  /** Hands over what a test tells it to. */
  private static final class Script implements Source {
    private final BlockingQueue<Consumer<Sink>> told = new LinkedBlockingQueue<>();
    private final Optional<String> place;

    Script(Optional<String> place) {
      this.place = place;
    }

    void hand(Service... services) {
      told.add(sink -> sink.apply(image(services)));
    }

    void fail(String problem) {
      told.add(sink -> sink.retrying(ErrorCode.MANIFEST, problem, ""));
    }

    void recover() {
      told.add(Sink::recovered);
    }

    @Override
    public void run(Sink sink) throws InterruptedException {
      while (true) {
        told.take().accept(sink);
      }
    }

    @Override
    public Optional<String> place(ObjectRef object) {
      return place;
    }
  }
}
