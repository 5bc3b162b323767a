package dev.portolan.timemachine.replay;

import dev.portolan.compare.FieldChange;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.source.record.RecordedEvent;
import java.util.List;

/** Where a timeline goes. */
interface ReplayOutput {
  /** What was in effect when the time began that is looked at. */
  void inEffect(NodeRevision revision);

  /**
   * A revision of the node.
   *
   * @param services those of its services that are wanted
   * @param ofNode whether changes of the node itself are wanted
   */
  void revision(
      NodeRevision revision,
      List<ServiceChange> services,
      boolean ofNode,
      List<FieldChange> causes);

  /** Anything else that was recorded. */
  void event(RecordedEvent event);

  /** What all of it was. */
  void summary(ReplaySummary summary);
}
