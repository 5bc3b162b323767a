package dev.portolan.timemachine.replay;

import dev.portolan.core.node.ServiceChange;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.terminal.view.Excerpt;
import dev.portolan.terminal.view.ServiceFilter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plays a recording as a timeline of one node: what each revision changed and why, and what else
 * was recorded, of some services and of some time.
 */
final class Replay {
  private final Playback playback;
  private final TimeWindow window;
  private final ServiceFilter filter;
  private final ReplayPace pace;
  private final ReplayOutput output;
  private final ReplaySummary summary;
  private final Set<Long> shown = new HashSet<>();
  private @Nullable NodeRevision held;

  /** Plays what {@code window} and {@code filter} let through to {@code output}. */
  public Replay(
      Playback playback,
      TimeWindow window,
      ServiceFilter filter,
      ReplayPace pace,
      ReplayOutput output) {
    this.playback = playback;
    this.window = window;
    this.filter = filter;
    this.pace = pace;
    this.output = output;
    this.summary = new ReplaySummary(playback.image().facts().name());
  }

  /** Plays the next event. */
  public void play(RecordedEvent event) throws InterruptedException {
    if (window.contains(event.time())) {
      if (held != null) {
        output.inEffect(held);
        shown.add(held.revision());
        held = null;
      }
      pace.await(event.time());
      summary.count(event);
    }
    switch (event) {
      case RecordedEvent.Started started -> {
        playback.begin(started);
        shown.clear();
        pass(event);
      }
      case RecordedEvent.State state -> playback.take(state).ifPresent(this::pass);
      case RecordedEvent.Synced synced -> {
        if (isAll() || synced.error().isPresent() || shown.contains(synced.revision())) {
          pass(event);
        }
      }
      case RecordedEvent.Repaired _, RecordedEvent.Problem _ -> pass(event);
    }
  }

  /** Says what all of it was. */
  public void end() {
    if (held != null) {
      output.inEffect(held);
    }
    output.summary(summary);
  }

  private boolean isAll() {
    return filter.equals(ServiceFilter.ALL);
  }

  private void pass(RecordedEvent event) {
    if (window.contains(event.time())) {
      output.event(event);
    }
  }

  private void pass(NodeRevision revision) {
    if (window.isAfter(revision.time())) {
      held = revision;
      return;
    }
    List<ServiceChange> services = Excerpt.of(revision.change(), filter);
    boolean differs = !services.isEmpty() || (isAll() && revision.change().factsChanged());
    if (window.contains(revision.time()) && (differs || (isAll() && revision.beginning()))) {
      summary.countRevision();
      shown.add(revision.revision());
      output.revision(revision, services, isAll(), revision.causes(services, isAll()));
    }
  }
}
