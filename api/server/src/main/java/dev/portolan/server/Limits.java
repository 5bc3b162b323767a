package dev.portolan.server;

import java.time.Duration;

/**
 * What clients may take.
 *
 * @param requestBytes the largest request
 * @param streamsPerConnection how many calls a connection may have at once
 * @param connections how many connections a listener has at once
 * @param requestsPerSecond how many requests of one stream are read in a second; others wait
 * @param views how many nodes have a view at once, those included that no client watches any more
 * @param viewIdle how long the view of a node is kept when no client watches it
 * @param history how many states of a node are kept for clients that come back
 * @param historyAge how long such a state is kept
 * @param stalled how long a client may leave unread what it asked for
 * @param forgotten how long a client that is gone stays in the list of clients
 * @param silent how long a connection may be silent: after that a client that has not introduced
 *     itself is disconnected, and any other is pinged and has as long to answer
 */
public record Limits(
    int requestBytes,
    int streamsPerConnection,
    int connections,
    int requestsPerSecond,
    int views,
    Duration viewIdle,
    int history,
    Duration historyAge,
    Duration stalled,
    Duration forgotten,
    Duration silent) {
  /** Room for 5,000 nodes, a connection each. */
  public static final Limits DEFAULT =
      new Limits(
          1 << 20,
          1_000,
          10_000,
          1_000,
          10_000,
          Duration.ofMinutes(5),
          64,
          Duration.ofMinutes(5),
          Duration.ofSeconds(30),
          Duration.ofMinutes(10),
          Duration.ofSeconds(20));

  /** The same with another limit on clients that do not read. */
  public Limits withStalled(Duration limit) {
    return new Limits(
        requestBytes,
        streamsPerConnection,
        connections,
        requestsPerSecond,
        views,
        viewIdle,
        history,
        historyAge,
        limit,
        forgotten,
        silent);
  }

  /** The same with other limits on views. */
  public Limits withViews(int most, Duration idle) {
    return new Limits(
        requestBytes,
        streamsPerConnection,
        connections,
        requestsPerSecond,
        most,
        idle,
        history,
        historyAge,
        stalled,
        forgotten,
        silent);
  }

  /** The same with another limit on connections. */
  public Limits withConnections(int most) {
    return new Limits(
        requestBytes,
        streamsPerConnection,
        most,
        requestsPerSecond,
        views,
        viewIdle,
        history,
        historyAge,
        stalled,
        forgotten,
        silent);
  }

  /** The same with another limit on connections that say nothing. */
  public Limits withSilent(Duration limit) {
    return new Limits(
        requestBytes,
        streamsPerConnection,
        connections,
        requestsPerSecond,
        views,
        viewIdle,
        history,
        historyAge,
        stalled,
        forgotten,
        limit);
  }
}
