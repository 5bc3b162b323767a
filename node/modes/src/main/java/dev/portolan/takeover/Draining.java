package dev.portolan.takeover;

import dev.portolan.core.text.Counted;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes the drain of IPVS to its end, step by step, and says how it goes. */
public final class Draining {
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final String OVER =
      "No connection goes through IPVS any more, and its device is gone";

  private final Consumer<String> log;
  private @Nullable IpvsDrain drain;
  private volatile int connections;

  /** Nothing is looked at yet; {@code log} receives a sentence at the start and one at the end. */
  public Draining(Consumer<String> log) {
    this.log = log;
  }

  /**
   * Goes on with a drain where one is under way, with one step now; one that was begun before goes
   * on alone.
   */
  public void start(TakeoverOptions options) {
    if (drain != null || !options.drains()) {
      return;
    }
    IpvsDrain found = new IpvsDrain(options);
    found
        .begin(e ->
            log.accept("Cannot tell whether connections still go through IPVS: " + e.getMessage()))
        .ifPresent(first -> begin(found, first));
  }

  private void begin(IpvsDrain found, IpvsDrain.Progress first) {
    drain = found;
    if (!isOver(first)) {
      log.accept(
          "Connections through IPVS go on until they end, for at most "
              + IpvsDrain.LIMIT.toMinutes()
              + " minutes: "
              + Counted.of(first.connections(), "connection")
              + " at "
              + Counted.of(first.servers(), "virtual server"));
    }
  }

  /**
   * Takes another step, if a drain is under way; what fails now may not fail the next time.
   *
   * @return when to take the next one; empty where there is nothing to do
   */
  public Optional<Duration> advance() {
    if (drain == null || drain.next(e -> {}).filter(this::isOver).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(PERIOD);
  }

  /** Takes note of how far it is. */
  private boolean isOver(IpvsDrain.Progress progress) {
    connections = progress.connections();
    if (progress.isOver()) {
      drain = null;
      log.accept(OVER);
    }
    return progress.isOver();
  }

  /** How many connections still go through IPVS, as far as it is known here; any thread may ask. */
  public int connections() {
    return connections;
  }
}
