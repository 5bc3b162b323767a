package dev.portolan.timemachine.whatif;

import dev.portolan.compare.events.EventNote;
import dev.portolan.compare.events.Impact;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.terminal.query.ResultTree;
import dev.portolan.timemachine.diff.NodesPhrase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an event would do, for programs. */
final class WhatIfTree {
  private WhatIfTree() {}

  /** The whole of it. */
  static ResultTree of(WhatIfAnswer answer, String source) {
    Impact impact = answer.impact();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("source", source);
    tree.put("events", answer.imagined().notes().stream().map(WhatIfTree::event).toList());
    tree.put("nodes", answer.comparison().nodes().size());
    tree.put("nodesGone", answer.imagined().nodesGone().stream().sorted().toList());
    tree.put("breaks", !impact.breaksNothing());
    tree.put("broken", impact.broken().stream().map(WhatIfTree::turn).toList());
    tree.put("mended", impact.mended().stream().map(WhatIfTree::turn).toList());
    tree.put("loads", impact.loads().stream().map(WhatIfTree::load).toList());
    tree.put("leavingZone", impact.leavingZone().stream().map(WhatIfTree::leaving).toList());
    tree.put("changedOtherwise", List.copyOf(impact.otherwise()));
    tree.put("unchanged", impact.unchanged());
    return ResultTree.of("WhatIf", "whatif", tree);
  }

  private static Map<String, Object> event(EventNote note) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("event", note.event().toString());
    tree.put("effect", note.effect());
    tree.put("endpoints", note.endpoints());
    return tree;
  }

  private static Map<String, Object> port(ServicePortName port, IpFamily family) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("namespace", port.service().namespace());
    tree.put("name", port.service().name());
    tree.put("port", port.port());
    tree.put("protocol", port.protocol().toString());
    tree.put("family", family.toString());
    return tree;
  }

  private static Map<String, Object> turn(Impact.Turn turn) {
    Map<String, Object> tree = port(turn.port(), turn.family());
    tree.put("traffic", turn.traffic().stream().map(NodesPhrase::field).toList());
    tree.put("before", turn.before().toString());
    tree.put("after", turn.after().toString());
    tree.put("nodes", NodesPhrase.tree(turn.nodes()));
    return tree;
  }

  private static Map<String, Object> load(Impact.Load load) {
    Map<String, Object> tree = port(load.port(), load.family());
    tree.put("endpointsBefore", load.before());
    tree.put("endpointsAfter", load.after());
    tree.put("loadPerEndpoint", Math.round(load.factor() * 100) / 100.0);
    return tree;
  }

  private static Map<String, Object> leaving(Impact.LeavingZone leaving) {
    Map<String, Object> tree = port(leaving.port(), leaving.family());
    tree.put("zone", leaving.zone());
    tree.put("endpointsInZoneBefore", leaving.before());
    tree.put("endpointsInZoneAfter", leaving.after());
    tree.put("nodes", NodesPhrase.tree(leaving.nodes()));
    return tree;
  }
}
