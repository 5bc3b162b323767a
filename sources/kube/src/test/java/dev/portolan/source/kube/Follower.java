package dev.portolan.source.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.apiserver.ApiAccess;
import dev.portolan.apiserver.ApiServer;
import dev.portolan.apiserver.ClientLimits;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.source.kube.wire.ProtobufFormat;
import dev.portolan.testbase.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A {@link KubeSource} that runs, and all that it said. */
public final class Follower implements Source.Sink, AutoCloseable {
  /** Everything a hundred times as fast. */
  static final Timing FAST =
      new Timing(
          Duration.ofMillis(5),
          Duration.ofMillis(50),
          Duration.ofSeconds(2),
          Duration.ofSeconds(4),
          Duration.ofSeconds(1),
          Duration.ofMillis(1500),
          Duration.ofMillis(400),
          Duration.ofMillis(100),
          Duration.ofMillis(20));

  private static final long PATIENCE = Await.PATIENCE.toNanos();

  private final FakeApiServer server;
  private final ApiServer api;
  private final Optional<String> ownNode;
  private final KubeSource source;
  private final Thread thread;
  private final List<ClusterDelta> transactions = new ArrayList<>();
  private final List<String> reports = new ArrayList<>();
  private ClusterImage image = ClusterImage.EMPTY;
  private int recoveries;
  private @Nullable Throwable broken;
  private int throwing;

  private Follower(FakeApiServer server, Optional<String> ownNode, KubeSource.Options options) {
    this.server = server;
    this.ownNode = ownNode;
    this.api =
        ApiServer.connect(
            ApiAccess.of(server.address()), new ClientLimits(-1, 1000, "portolan-test"));
    this.source = new KubeSource(api, ownNode, options);
    this.thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                source.run(this);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (RuntimeException | Error e) {
                fail(e);
              }
            });
  }

  /** Follows in protobuf. */
  static Follower of(FakeApiServer server) {
    return of(server, options(ProtobufFormat.TYPE, FAST));
  }

  static Follower of(FakeApiServer server, KubeSource.Options options) {
    return new Follower(server, Optional.empty(), options);
  }

  static Follower of(FakeApiServer server, String ownNode) {
    return new Follower(server, Optional.of(ownNode), options(ProtobufFormat.TYPE, FAST));
  }

  static KubeSource.Options options(String type, Timing timing) {
    return new KubeSource.Options(
        type, timing, System::nanoTime, Math::random, Optional.empty(), false, false);
  }

  @Override
  public synchronized void apply(ClusterImage newest) {
    if (throwing > 0) {
      throwing--;
      throw new StackOverflowError("a test");
    }
    transactions.add(ClusterDelta.between(image, newest));
    image = newest;
    notifyAll();
  }

  @Override
  public synchronized void report(String problem) {
    reports.add(problem);
    notifyAll();
  }

  @Override
  public synchronized void recovered() {
    recoveries++;
    notifyAll();
  }

  private synchronized void fail(Throwable problem) {
    broken = problem;
    notifyAll();
  }

  /** Waits until the sink's image is what a fresh look at the server would give. */
  Follower settle() {
    await("the image equals the server's", () -> image().equals(server.image(ownNode)));
    return this;
  }

  /** Waits until something is so. */
  synchronized void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime())
          .as(
              "%s%nreports %s%nstate %s%nrequests %s%nbroken %s",
              what, reports, source.state(), server.requests(), broken)
          .isLessThan(end);
      try {
        wait(10);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  synchronized ClusterImage image() {
    return image;
  }

  synchronized List<ClusterDelta> transactions() {
    return List.copyOf(transactions);
  }

  synchronized List<String> reports() {
    return List.copyOf(reports);
  }

  /** Fails to take the next states, so many times. */
  synchronized void throwNext(int times) {
    throwing = times;
  }

  /** How often it was read again after failures. */
  synchronized int recoveries() {
    return recoveries;
  }

  ResourceState state(String resource) {
    return source.state().stream()
        .filter(state -> state.resource().equals(resource))
        .findFirst()
        .orElseThrow();
  }

  Duration silence() {
    return source.silence();
  }

  /** Waits until every resource is watched. */
  Follower watching() {
    settle();
    await(
        "every resource is watched",
        () -> source.state().stream().allMatch(state -> state.watches() > 0));
    return this;
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    api.close();
    assertThat(thread.isAlive()).as("the source still runs").isFalse();
    assertThat(broken).isNull();
  }
}
