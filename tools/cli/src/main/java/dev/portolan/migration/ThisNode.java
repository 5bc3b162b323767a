package dev.portolan.migration;

import java.util.List;
import java.util.Optional;

/**
 * A node on which the move was looked at.
 *
 * @param kernel its release
 * @param obstacle why the new mode does not work there, if it is known not to
 * @param found the modules and rules of proxies that it has now, a few words each
 * @param unread what could not be looked at, and why, a sentence each
 * @param ipvs what its IPVS serves now
 */
public record ThisNode(
    String kernel,
    Optional<String> obstacle,
    List<String> found,
    List<String> unread,
    LiveIpvs ipvs) {
  public ThisNode {
    found = List.copyOf(found);
    unread = List.copyOf(unread);
  }

  /** Whether everything could be looked at, and nothing is in the way. */
  boolean isReady() {
    return obstacle.isEmpty() && unread.isEmpty();
  }
}
