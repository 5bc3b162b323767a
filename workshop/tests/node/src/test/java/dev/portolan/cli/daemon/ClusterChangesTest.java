package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon follows a cluster that changes by the hundred, and survives its own death. */
@NeedsPeers
final class ClusterChangesTest extends DaemonOnNode {
  private static final RandomServices SERVICES = new RandomServices(5);

  @TempDir private Path folder;
  private FreshRules fresh;

  @BeforeAll
  static void fill() {
    writer.apply(SERVICES.create(0, 150));
  }

  @BeforeEach
  void prepare() throws Exception {
    fresh = FreshRules.of(plane, folder);
  }

  @Test
  void whatChangesIsFollowedAndStaysAfterASignal() throws Exception {
    try (Daemon daemon = host.start()) {
      host.awaitFresh(daemon, fresh);
      for (int round = 0; round < 2; round++) {
        writer.apply(SERVICES.churn(60, 40));
        writer.apply(SERVICES.create(150 + 60 * round, 210 + 60 * round));
        host.awaitFresh(daemon, fresh);
      }
      writer.apply(SERVICES.create(0, 100));
      host.awaitFresh(daemon, fresh);
      assertThat(daemon.log())
          .doesNotContain("Sync failed", "Repaired", "Starting again")
          .doesNotContainPattern("(?m)^E");

      String rules = host.ruleset();
      assertThat(daemon.stop()).as(daemon::log).isZero();
      assertThat(daemon.log()).contains("Stopped; the rules stay in place");
      assertThat(host.ruleset()).isEqualTo(rules);
    }
  }

  @Test
  void beingKilledAtAnyMomentLosesNothing() throws Exception {
    Random random = new Random(7);
    AtomicBoolean over = new AtomicBoolean();
    try (Daemon daemon = host.start()) {
      host.awaitFresh(daemon, fresh);
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> burst =
          threads.submit(() -> {
            while (!over.get()) {
              writer.apply(SERVICES.churn(10, 0));
            }
          });
      Future<Integer> watch = threads.submit(() -> watchTables(over));
      try {
        for (int life = 0; life < 4; life++) {
          try (Daemon daemon = host.start()) {
            if (life % 2 == 0) {
              daemon.awaitSync();
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(1500));
          }
        }
      } finally {
        over.set(true);
      }
      burst.get();
      assertThat(watch.get()).as("looks at the rules").isGreaterThan(10);
    }
    try (Daemon daemon = host.start()) {
      host.awaitFresh(daemon, fresh);
    }
  }

  /** Checks continuously that an unchanged service is served. */
  private int watchTables(AtomicBoolean over) throws InterruptedException {
    int looks = 0;
    while (!over.get()) {
      try {
        assertThat(
                host.namespace()
                    .run("nft", "get", "element", "ip", "portolan", "cluster-ips", "{ 10.96.0.1 }"))
            .contains("10.96.0.1");
        looks++;
      } catch (IllegalStateException e) {
        // Rules changed between two requests of nft, which gives up then.
        assertThat(e).hasMessageContaining("Interrupted system call");
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return looks;
  }
}
