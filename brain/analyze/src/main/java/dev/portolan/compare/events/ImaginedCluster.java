package dev.portolan.compare.events;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.Ip;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * A cluster after events that have not happened.
 *
 * @param nodesGone nodes whose decisions are no longer compared
 * @param imagined addresses of endpoints that do not exist yet
 * @param notes what each event does
 * @param podsGo whether pods go that a controller would start again elsewhere
 */
public record ImaginedCluster(
    ClusterImage cluster,
    Set<String> nodesGone,
    Set<Ip> imagined,
    List<EventNote> notes,
    boolean podsGo) {
  public ImaginedCluster {
    nodesGone = Set.copyOf(nodesGone);
    imagined = Set.copyOf(imagined);
    notes = List.copyOf(notes);
  }

  /**
   * The cluster after all of the events, in whatever order they are given.
   *
   * @throws IllegalArgumentException with a sentence where an event is about something that the
   *     cluster does not have
   */
  public static ImaginedCluster after(ClusterImage cluster, List<ClusterEvent> events) {
    List<ClusterEvent> inOrder = new ArrayList<>(events);
    inOrder.sort(Comparator.comparingInt(ClusterEvent::order));
    ClusterEditor editor = new ClusterEditor(cluster);
    inOrder.forEach(editor::apply);
    return editor.result();
  }
}
