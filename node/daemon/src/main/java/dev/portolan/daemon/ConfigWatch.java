package dev.portolan.daemon;

import dev.portolan.config.StartPlan;
import dev.portolan.config.file.ConfigText;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.finding.Finding;
import dev.portolan.core.error.Threads;
import dev.portolan.text.FolderWatch;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watches the configuration file of a plan.
 *
 * <p>A ConfigMap's volume changes by swapping a symbolic link beside the file, so all folders on
 * the way to the file's text are watched, and the text is what counts. The kernel's notifications
 * are only a hint: the file is also read every few seconds.
 */
final class ConfigWatch implements AutoCloseable {
  private static final Duration LONGEST_SLEEP = Duration.ofSeconds(5);
  private static final Duration QUIET = Duration.ofMillis(100);
  private static final int MOST_ROUNDS = 20;
  private static final int MOST_LINKS = 40;

  /** Notified of what became of the file, on the watch's thread. */
  interface Listener {
    /**
     * The file makes another plan now, which is good. One that the listener refuses, by a {@link
     * ConfigException}, counts as not valid.
     */
    void changed(StartPlan plan);

    /** The file has another text, which makes the plan that is in use. */
    default void unchanged() {}

    /** The file cannot be used as it is now; the old plan stays. */
    void refused(List<Finding> errors);
  }

  private final Path file;
  private final Listener listener;
  private final FolderWatch folders;
  private final Thread thread;
  private StartPlan plan;
  private Reading last;

  private ConfigWatch(StartPlan plan, String seen, Listener listener, Duration longestSleep) {
    StartPlan.Source source = plan.source().orElseThrow();
    this.plan = plan;
    this.last = new Reading(seen, List.of());
    this.file = Path.of(source.file()).toAbsolutePath();
    this.listener = listener;
    // Without news the file is read every few seconds, and no more is lost.
    this.folders = new FolderWatch(longestSleep, problem -> {});
    this.thread = Threads.platform("config-watch").lasting().unstarted(this::run);
  }

  /**
   * Watches from now on.
   *
   * @param seen the text that the file is known to have: the plan's, or one that is not in use
   */
  static ConfigWatch start(StartPlan plan, String seen, Listener listener) {
    return start(plan, seen, listener, LONGEST_SLEEP);
  }

  static ConfigWatch start(StartPlan plan, String seen, Listener listener, Duration longestSleep) {
    ConfigWatch watch = new ConfigWatch(plan, seen, listener, longestSleep);
    watch.folders.follow(watch.folders());
    watch.thread.start();
    return watch;
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        look();
        folders.await();
        folders.follow(folders());
      }
    } catch (InterruptedException | ClosedWatchServiceException e) {
      // The watch was closed.
    }
  }

  /** What the file gave: its text, or why there is none. */
  private record Reading(@Nullable String text, List<Finding> errors) {
    boolean isEmpty() {
      return text == null || text.isBlank();
    }
  }

  private Reading read() {
    try {
      return new Reading(ConfigText.read(plan.source().orElseThrow().file()), List.of());
    } catch (ConfigException e) {
      return new Reading(null, e.errors());
    }
  }

  /**
   * Takes a new file once it has not changed for a moment: the write may not be complete. An empty
   * or missing file is most likely being replaced, so that has to last longer.
   */
  private void look() throws InterruptedException {
    Reading reading = read();
    for (int i = 0; i < MOST_ROUNDS && !reading.equals(last); i++) {
      Thread.sleep(QUIET);
      Reading again = read();
      boolean lastRound = i == MOST_ROUNDS - 1;
      if (again.equals(reading) && (lastRound || !reading.isEmpty())) {
        last = reading;
        take(reading);
      }
      reading = again;
    }
  }

  private void take(Reading reading) {
    if (reading.text == null) {
      listener.refused(reading.errors);
      return;
    }
    try {
      apply(plan.reread(reading.text));
    } catch (ConfigException e) {
      listener.refused(e.errors());
    }
  }

  private void apply(StartPlan changed) {
    if (changed.isLike(plan)) {
      listener.unchanged();
    } else {
      listener.changed(changed);
    }
    plan = changed;
  }

  /** The folders that the file and each link on the way to it are in. */
  private Set<Path> folders() {
    Set<Path> found = new HashSet<>();
    Path step = file;
    try {
      for (int i = 0; i < MOST_LINKS; i++) {
        found.add(folder(step));
        if (!Files.isSymbolicLink(step)) {
          break;
        }
        step = step.resolveSibling(Files.readSymbolicLink(step));
      }
      found.add(folder(file.toRealPath()));
    } catch (IOException e) {
      // A link leads nowhere for now; the folders up to it are watched.
    }
    return found;
  }

  private static Path folder(Path file) {
    Path folder = file.getParent();
    return folder == null ? file : folder;
  }

  /** Ends the watch; the listener is not called again, and may call this itself. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      if (!thread.equals(Thread.currentThread())) {
        thread.join();
      }
      folders.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
