package dev.portolan.timemachine.whatif;

import dev.portolan.compare.decisions.ClusterComparison;
import dev.portolan.compare.decisions.ComparedNodes;
import dev.portolan.compare.decisions.DecidedState;
import dev.portolan.compare.events.ClusterEvent;
import dev.portolan.compare.events.ImaginedCluster;
import dev.portolan.compare.events.Impact;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.query.ResultTree;
import java.util.List;

/** What was imagined, what is decided differently then, and what that means. */
public record WhatIfAnswer(ImaginedCluster imagined, ClusterComparison comparison, Impact impact) {
  /** What {@code events} would do in the state {@code now}. */
  public static WhatIfAnswer of(DecidedState now, List<ClusterEvent> events) {
    ImaginedCluster imagined = imagine(now, events);
    ComparedNodes nodes =
        ComparedNodes.between(
            now, now.with(imagined.cluster()), name -> !imagined.nodesGone().contains(name));
    ClusterComparison comparison = ClusterComparison.of(nodes);
    return new WhatIfAnswer(imagined, comparison, Impact.of(nodes, comparison));
  }

  private static ImaginedCluster imagine(DecidedState now, List<ClusterEvent> events) {
    try {
      return ImaginedCluster.after(now.cluster(), events);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.input(ErrorCode.NOT_FOUND, String.valueOf(e.getMessage()));
    }
  }

  /** The answer for programs, about what {@code source} has. */
  public ResultTree tree(String source) {
    return WhatIfTree.of(this, source);
  }

  /** Prints the answer for a person. */
  public void print(Terminal terminal) {
    new WhatIfText(terminal).print(this);
  }
}
