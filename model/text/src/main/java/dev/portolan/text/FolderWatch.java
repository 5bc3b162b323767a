package dev.portolan.text;

import dev.portolan.core.text.Quotes;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Wakes up when something happens in one of several folders, and at the latest after a while.
 *
 * <p>The kernel's notifications are only a hint: some file systems send none, the number of watches
 * is limited, and a folder may be swapped for another between two looks.
 */
public final class FolderWatch implements AutoCloseable {
  private static final Duration QUIET = Duration.ofMillis(50);
  private static final int MOST_ROUNDS = 20;
  private static final WatchEvent.Kind<?>[] EVENTS = {
    StandardWatchEventKinds.ENTRY_CREATE,
    StandardWatchEventKinds.ENTRY_DELETE,
    StandardWatchEventKinds.ENTRY_MODIFY
  };

  private final @Nullable WatchService news;
  private final Duration longestSleep;
  private final Consumer<String> problems;
  private final Map<Folder, WatchKey> watched = new HashMap<>();
  private boolean complained;

  /** A folder itself, rather than what a path leads to. */
  private record Folder(Path path, @Nullable Object key) {}

  /**
   * Watches nothing yet.
   *
   * @param longestSleep after which it is time to look anyway
   * @param problems called once where the kernel sends no notifications
   */
  public FolderWatch(Duration longestSleep, Consumer<String> problems) {
    this.longestSleep = longestSleep;
    this.problems = problems;
    this.news = open();
  }

  private @Nullable WatchService open() {
    try {
      return FileSystems.getDefault().newWatchService();
    } catch (IOException | UnsupportedOperationException e) {
      complain(e);
      return null;
    }
  }

  /** Watches these folders from now on, and no others. */
  public void follow(Set<Path> folders) {
    if (news == null) {
      return;
    }
    watched.values().removeIf(key -> !key.isValid());
    Set<Folder> wanted = new HashSet<>();
    for (Path path : folders) {
      try {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        Folder folder = new Folder(path, key);
        if (!watched.containsKey(folder)) {
          watched.put(folder, path.register(news, EVENTS));
        }
        wanted.add(folder);
      } catch (NoSuchFileException e) {
        // It went away since it was listed; the next listing will know.
      } catch (IOException | SecurityException e) {
        complain(e);
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

  /** Sleeps until something happened and it is quiet again, or it is time to look anyway. */
  public void await() throws InterruptedException {
    if (isNews(longestSleep)) {
      settle();
    }
  }

  /** Sleeps until nothing happens for a moment, within reason. */
  public void settle() throws InterruptedException {
    for (int i = 0; i < MOST_ROUNDS && isNews(QUIET); i++) {
      // The write is not complete yet.
    }
  }

  @Override
  public void close() {
    try {
      if (news != null) {
        news.close();
      }
    } catch (IOException e) {
      complain(e);
    }
  }

  private boolean isNews(Duration patience) throws InterruptedException {
    if (news == null) {
      Thread.sleep(patience);
      return false;
    }
    WatchKey key = news.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    if (key == null) {
      return false;
    }
    key.pollEvents();
    key.reset();
    return true;
  }

  private void complain(Exception e) {
    if (!complained) {
      complained = true;
      problems.accept(
          "Cannot watch folders ("
              + Quotes.brief(String.valueOf(e.getMessage()))
              + "); polling every "
              + longestSleep.toSeconds()
              + " seconds instead; raising fs.inotify.max_user_watches and max_user_instances may"
              + " help");
    }
  }
}
