package dev.portolan.client;

import java.time.Duration;

/**
 * What is wanted from a server, and how.
 *
 * @param node the node from whose point of view the state is wanted
 * @param clientName what the client calls itself, as {@code portolan nodes} prints it
 * @param errorDelay the longest pause between two tries to reach a server; the first ones follow
 *     each other faster
 * @param listener notified when the connection is made, lost or refused
 * @param metadata whether services come with their labels and annotations; the server must keep
 *     them
 */
public record Subscription(
    String node, String clientName, Duration errorDelay, LinkListener listener, boolean metadata) {
  /** The default maximum pause between two attempts. */
  public static final Duration DEFAULT_ERROR_DELAY = Duration.ofSeconds(5);

  /** The view of {@code node}. */
  public static Subscription of(String node) {
    return new Subscription(node, "", DEFAULT_ERROR_DELAY, LinkListener.NONE, false);
  }

  /** The same for a client of that name. */
  public Subscription clientName(String name) {
    return new Subscription(node, name, errorDelay, listener, metadata);
  }

  /** The same with another longest pause. */
  public Subscription errorDelay(Duration longest) {
    return new Subscription(node, clientName, longest, listener, metadata);
  }

  /** The same with an observer of the connection. */
  public Subscription listener(LinkListener told) {
    return new Subscription(node, clientName, errorDelay, told, metadata);
  }

  /** The same with labels and annotations of services, or without. */
  public Subscription metadata(boolean wanted) {
    return new Subscription(node, clientName, errorDelay, listener, wanted);
  }
}
