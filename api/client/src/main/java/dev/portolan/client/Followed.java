package dev.portolan.client;

import dev.portolan.core.backend.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A server that is asked again and again: with exponential backoff and jitter while that fails, and
 * a word to a listener when the server is lost and when it is back.
 *
 * <p>One thread runs the attempts and says how they fare.
 */
public final class Followed {
  /** How many different messages about one failure are reported; they may alternate. */
  private static final int MOST_SENTENCES = 10;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  private final Backoff backoff;
  private final LinkListener listener;
  private final Set<String> trouble = new HashSet<>();
  private volatile LinkStatus link = LinkStatus.NEW;

  /** What is done until it fails. */
  public interface Attempt {
    /** Asks the server, and returns when no more is wanted of it. */
    void run() throws ConnectionException, InterruptedException;
  }

  /** Pauses no longer than {@code longest} between two attempts. */
  public Followed(Duration longest, LinkListener listener) {
    this.backoff = new Backoff(FIRST_PAUSE, longest);
    this.listener = listener;
  }

  /** Makes attempts until one returns, or the thread is interrupted. */
  public void run(Attempt attempt) throws InterruptedException {
    while (true) {
      try {
        attempt.run();
        return;
      } catch (ConnectionException e) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        lost(String.valueOf(e.getMessage()));
      }
      Thread.sleep(withJitter(backoff.next()));
    }
  }

  /**
   * From half of {@code pause} to all of it, so that a server's clients do not come all at once.
   */
  private static Duration withJitter(Duration pause) {
    long most = pause.toNanos();
    return Duration.ofNanos(most - ThreadLocalRandom.current().nextLong(most / 2 + 1));
  }

  /** The server answers; a lost server counts as back only once that {@link #works}. */
  void answers() {
    if (!isConnected()) {
      link = link.up(Instant.now());
      if (!isLost()) {
        listener.connected();
      }
    }
  }

  /** The server did what it was asked for, or stayed longer than one that fails would. */
  public void works() {
    answers();
    backoff.reset();
    if (isLost()) {
      trouble.clear();
      listener.connected();
    }
  }

  private void lost(String sentence) {
    link = link.down(sentence);
    if (trouble.size() < MOST_SENTENCES && trouble.add(sentence)) {
      listener.lost(sentence);
    }
  }

  /** How the connection fares. */
  LinkStatus link() {
    return link;
  }

  /** Whether the server answers at present. */
  boolean isConnected() {
    return link.connectedSince().isPresent();
  }

  /** Whether the server was lost, and is not back yet. */
  boolean isLost() {
    return !trouble.isEmpty();
  }
}
