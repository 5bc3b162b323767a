package dev.portolan.config;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches the configuration file of a plan.
 *
 * <p>A ConfigMap's volume changes by swapping a symbolic link beside the file, so all folders on
 * the way to the file's text are watched, and the text is what counts. The kernel's news are a hint
 * only: the file is read every few seconds besides.
 */
public final class ConfigWatch implements AutoCloseable {
  private static final Duration LONGEST_SLEEP = Duration.ofSeconds(5);
  private static final Duration QUIET = Duration.ofMillis(100);
  private static final int MOST_ROUNDS = 20;
  private static final int MOST_LINKS = 40;
  private static final WatchEvent.Kind<?>[] EVENTS = {
    StandardWatchEventKinds.ENTRY_CREATE,
    StandardWatchEventKinds.ENTRY_DELETE,
    StandardWatchEventKinds.ENTRY_MODIFY
  };

  /** Hears what became of the file, on the thread of the watch. */
  public interface Listener {
    /** The file makes another plan now, which is good. */
    void changed(StartPlan plan);

    /** The file cannot be used as it is now; the old plan stays. */
    void refused(List<Finding> errors);
  }

  private final Path file;
  private final Listener listener;
  private final Duration longestSleep;
  private final @Nullable WatchService news;
  private final Map<Path, WatchKey> watched = new HashMap<>();
  private final Thread thread;
  private StartPlan plan;
  private Reading last;

  private ConfigWatch(StartPlan plan, Listener listener, Duration longestSleep) {
    StartPlan.Source source = plan.source().orElseThrow();
    this.plan = plan;
    this.last = new Reading(source.text(), List.of());
    this.file = Path.of(source.file()).toAbsolutePath();
    this.listener = listener;
    this.longestSleep = longestSleep;
    this.news = open();
    this.thread = Thread.ofPlatform().daemon().name("config-watch").unstarted(this::run);
  }

  /** Watches from now on; what happened since the plan was made counts too. */
  public static ConfigWatch start(StartPlan plan, Listener listener) {
    return start(plan, listener, LONGEST_SLEEP);
  }

  static ConfigWatch start(StartPlan plan, Listener listener, Duration longestSleep) {
    ConfigWatch watch = new ConfigWatch(plan, listener, longestSleep);
    watch.follow();
    watch.thread.start();
    return watch;
  }

  private static @Nullable WatchService open() {
    try {
      return FileSystems.getDefault().newWatchService();
    } catch (IOException | UnsupportedOperationException e) {
      return null; // Then the file is read every few seconds, and no more is lost.
    }
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        look();
        awaitNews();
        follow();
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
   * Takes what is new, once it stays for a moment: whoever writes may not be done. An empty or
   * missing file is most likely on its way, so that has to stay for longer.
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
    boolean isNew = !changed.isLike(plan);
    plan = changed;
    if (isNew) {
      listener.changed(changed);
    }
  }

  /** Watches the folders that the file and each link on the way to it are in, and no others. */
  private void follow() {
    if (news == null) {
      return;
    }
    Set<Path> wanted = folders();
    for (Path folder : wanted) {
      try {
        WatchKey key = folder.register(news, EVENTS);
        WatchKey before = watched.put(folder, key);
        if (before != null && !before.equals(key)) {
          before.cancel();
        }
      } catch (IOException e) {
        // It is gone, or there are no watches left: the next look at the file will tell.
      }
    }
    watched
        .entrySet()
        .removeIf(entry -> {
          boolean gone = !wanted.contains(entry.getKey());
          if (gone) {
            entry.getValue().cancel();
          }
          return gone;
        });
  }

  private Set<Path> folders() {
    Set<Path> folders = new HashSet<>();
    Path step = file;
    try {
      for (int i = 0; i < MOST_LINKS; i++) {
        folders.add(folder(step));
        if (!Files.isSymbolicLink(step)) {
          break;
        }
        step = step.resolveSibling(Files.readSymbolicLink(step));
      }
      folders.add(folder(file.toRealPath()));
    } catch (IOException e) {
      // A link leads nowhere for now; the folders up to it are watched.
    }
    return folders;
  }

  private static Path folder(Path file) {
    Path folder = file.getParent();
    return folder == null ? file : folder;
  }

  /** Sleeps until something happened near the file, or it is time to look anyway. */
  private void awaitNews() throws InterruptedException {
    if (news == null) {
      Thread.sleep(longestSleep);
      return;
    }
    WatchKey key = news.poll(longestSleep.toMillis(), TimeUnit.MILLISECONDS);
    if (key != null) {
      key.pollEvents();
      key.reset();
    }
  }

  /** Ends the watch; the listener hears nothing more, and may call this itself. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      if (!thread.equals(Thread.currentThread())) {
        thread.join();
      }
      if (news != null) {
        news.close();
      }
    } catch (IOException e) {
      // The process holds one file more, until it ends.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
