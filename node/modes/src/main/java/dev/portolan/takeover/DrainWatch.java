package dev.portolan.takeover;

import dev.portolan.core.error.Threads;
import dev.portolan.core.text.Counted;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes the drain of IPVS to its end, beside everything else, and says how it goes. */
public final class DrainWatch implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final String OVER =
      "No connection goes through IPVS any more, and its device is gone";

  private final Consumer<String> log;
  private @Nullable Thread watcher;
  private volatile int connections;

  /** Nothing is looked at yet; {@code log} receives a sentence at the start and one at the end. */
  public DrainWatch(Consumer<String> log) {
    this.log = log;
  }

  /**
   * Goes on with a drain where one is under way: with one step now, and the others later. What an
   * earlier call began goes on alone.
   */
  public synchronized void start(TakeoverOptions options) {
    if (watcher != null || !options.drains()) {
      return;
    }
    IpvsDrain drain = new IpvsDrain(options);
    drain
        .begin(e ->
            log.accept("Cannot tell whether connections still go through IPVS: " + e.getMessage()))
        .ifPresent(first -> begin(drain, first));
  }

  /** How many connections still go through IPVS, as far as it is known here. */
  public int connections() {
    return connections;
  }

  private void begin(IpvsDrain drain, IpvsDrain.Progress first) {
    connections = first.connections();
    if (first.isOver()) {
      log.accept(OVER);
      return;
    }
    log.accept(
        "Connections through IPVS go on until they end, for at most "
            + IpvsDrain.LIMIT.toMinutes()
            + " minutes: "
            + Counted.of(first.connections(), "connection")
            + " at "
            + Counted.of(first.servers(), "virtual server"));
    watcher = Threads.virtual("ipvs-drain").lasting().start(() -> follow(drain));
  }

  private void follow(IpvsDrain drain) {
    try {
      while (true) {
        TimeUnit.NANOSECONDS.sleep(PERIOD.toNanos());
        if (isOver(drain)) {
          break;
        }
      }
      log.accept(OVER);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ended();
  }

  /** One step; what fails now may not fail the next time. */
  private boolean isOver(IpvsDrain drain) {
    Optional<IpvsDrain.Progress> progress = drain.next(e -> {});
    progress.ifPresent(it -> connections = it.connections());
    return progress.filter(IpvsDrain.Progress::isOver).isPresent();
  }

  private synchronized void ended() {
    watcher = null;
  }

  @Override
  public synchronized void close() {
    if (watcher != null) {
      watcher.interrupt();
    }
  }
}
