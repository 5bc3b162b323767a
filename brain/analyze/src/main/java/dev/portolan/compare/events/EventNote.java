package dev.portolan.compare.events;

import java.util.List;

/**
 * What an event does to the objects of a cluster.
 *
 * @param effect in words, such as {@code 5 endpoints of 4 services go}
 * @param endpoints those that go or come, where it was chosen which ones
 */
public record EventNote(ClusterEvent event, String effect, List<String> endpoints) {
  public EventNote {
    endpoints = List.copyOf(endpoints);
  }
}
