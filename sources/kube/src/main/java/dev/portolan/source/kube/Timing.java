package dev.portolan.source.kube;

import java.time.Duration;

/**
 * How long things may take, and how long to wait between them.
 *
 * @param firstDelay before the second attempt after a failure; each time as much again, and up to
 *     twice that by chance
 * @param longestDelay what that grows to
 * @param forgetAfter how long all must go well until failures are forgotten
 * @param watch how long the server is asked to let a watch run; up to twice that by chance
 * @param margin how much longer than that a watch may take to end
 * @param answer how long the server may say nothing where an answer is due
 * @param initial how long it may say nothing while it sends the state with which a watch begins; a
 *     server that does not know of such a state never ends it
 * @param bookmark how long a watch may be silent where the server sends bookmarks, as it does about
 *     once a minute
 * @param absent how often to look again for a resource that the server does not have
 * @param tick how often all of these are looked at
 */
public record Timing(
    Duration firstDelay,
    Duration longestDelay,
    Duration forgetAfter,
    Duration watch,
    Duration margin,
    Duration answer,
    Duration initial,
    Duration bookmark,
    Duration absent,
    Duration tick) {
  /** What suits a real server; the delays are those of Kubernetes' own clients. */
  public static final Timing DEFAULT =
      new Timing(
          Duration.ofMillis(800),
          Duration.ofSeconds(30),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          Duration.ofSeconds(30),
          Duration.ofMinutes(1),
          Duration.ofSeconds(10),
          Duration.ofMinutes(3),
          Duration.ofMinutes(10),
          Duration.ofSeconds(1));
}
