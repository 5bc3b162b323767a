package dev.portolan.timemachine.whatif;

import dev.portolan.compare.events.EventNote;
import dev.portolan.compare.events.Impact;
import dev.portolan.core.text.Tree;
import dev.portolan.terminal.query.ResultTree;
import java.util.List;
import java.util.Set;

/** What an event would do, for programs. */
record WhatIfTree(
    String source,
    List<EventNote> events,
    int nodes,
    Set<String> nodesGone,
    boolean breaks,
    @Tree.Inline Impact impact) {
  /** The whole of it. */
  static ResultTree of(WhatIfAnswer answer, String source) {
    return ResultTree.of(
        "WhatIf",
        "whatif",
        new WhatIfTree(
            source,
            answer.imagined().notes(),
            answer.comparison().nodes().size(),
            answer.imagined().nodesGone(),
            !answer.impact().breaksNothing(),
            answer.impact()));
  }
}
