package dev.portolan.source.kube;

import java.time.Duration;

/**
 * How long things may take, and how long to wait between them.
 *
 * @param firstDelay the base of the exponential backoff: the pause before the second retry, doubled
 *     with each further one; jitter adds up to as much again
 * @param longestDelay the longest pause, before jitter
 * @param forgetAfter how long there must be no failure until the backoff starts over
 * @param watch how long the server is asked to let a watch run; jitter adds up to as much again
 * @param margin how much longer than that a watch may take to end
 * @param answer how long the server may be silent before it answers
 * @param bookmark how long a watch may be silent where the server sends bookmarks, as it does about
 *     once a minute
 * @param absent how often to ask again for a resource that the server does not have
 * @param tick how often timeouts are checked
 */
public record Timing(
    Duration firstDelay,
    Duration longestDelay,
    Duration forgetAfter,
    Duration watch,
    Duration margin,
    Duration answer,
    Duration bookmark,
    Duration absent,
    Duration tick) {
  /** Suits a real server; the delays are those of Kubernetes' own clients. */
  public static final Timing DEFAULT =
      new Timing(
          Duration.ofMillis(800),
          Duration.ofSeconds(30),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          Duration.ofSeconds(30),
          Duration.ofMinutes(1),
          Duration.ofSeconds(90),
          Duration.ofMinutes(10),
          Duration.ofSeconds(1));
}
