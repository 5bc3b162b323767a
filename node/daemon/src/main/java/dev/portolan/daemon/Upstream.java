package dev.portolan.daemon;

import java.util.Map;

/**
 * What a session works from: an API server, on whose objects it decides itself, or a brain, which
 * has decided already.
 */
sealed interface Upstream extends AutoCloseable permits ApiServerUpstream, BrainUpstream {
  /** Where it is. */
  String address();

  /** Where events go. */
  ClusterEvents events();

  /** Adds to an answer of the health page how old the oldest of what is known is. */
  void addAge(Map<String, Object> answer);

  /** Reads no more. */
  @Override
  void close();
}
