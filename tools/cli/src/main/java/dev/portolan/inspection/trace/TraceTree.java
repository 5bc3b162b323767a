package dev.portolan.inspection.trace;

import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Share;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.terminal.query.ResultTree;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkStep;
import dev.portolan.walk.nft.live.LivePacket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Traced connections, for programs. */
final class TraceTree {
  private TraceTree() {}

  static ResultTree of(String target, List<TracedConnection> all) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("target", target);
    tree.put("agree", all.stream().allMatch(it -> it.differences().isEmpty()));
    tree.put("connections", all.stream().map(TraceTree::connection).toList());
    return ResultTree.of("Trace", "trace", tree);
  }

  private static Map<String, Object> connection(TracedConnection traced) {
    Explanation explanation = traced.explanation();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("node", explanation.node());
    tree.put("service", explanation.service().map(ServicePortName::toString).orElse(""));
    tree.put("subject", explanation.subject());
    tree.put("from", explanation.from());
    tree.put("rules", traced.rules());
    tree.put("packet", packet(traced.packet()));
    tree.put("agree", traced.differences().isEmpty());
    tree.put("differences", traced.differences());
    tree.put("explained", explained(explanation));
    tree.put("walked", walked(traced.walked()));
    tree.put("live", traced.live().stream().map(TraceTree::live).toList());
    return tree;
  }

  private static Map<String, Object> packet(FirstPacket packet) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("source", packet.source().toString());
    tree.put("sourcePort", packet.sourcePort());
    tree.put("destination", packet.destination().toString());
    tree.put("port", packet.port());
    tree.put("protocol", packet.protocol().toString());
    tree.put("interface", packet.arrivesThrough().orElse(""));
    return tree;
  }

  private static Map<String, Object> explained(Explanation explanation) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("verdict", explanation.verdict().toString());
    tree.put("affinity", explanation.isKept());
    tree.put("endpoints", explanation.endpoints().stream().map(TraceTree::share).toList());
    tree.put("steps", explanation.steps().stream().map(Explanation.Step::text).toList());
    return tree;
  }

  private static Map<String, Object> share(Share share) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("address", share.endpoint().address().toString());
    tree.put("port", share.endpoint().port());
    tree.put("share", share.share());
    tree.put("masquerade", share.masquerade());
    return tree;
  }

  private static Map<String, Object> walked(WalkResult result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("verdict", result.verdict().toString());
    tree.put("remark", result.remark());
    tree.put("endpoints", result.ways().stream().map(TraceTree::way).toList());
    tree.put("steps", result.steps().stream().map(TraceTree::step).toList());
    return tree;
  }

  private static Map<String, Object> way(WalkResult.Way way) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("address", way.address().toString());
    tree.put("port", way.port());
    tree.put("share", way.share());
    tree.put("masquerade", way.masquerade());
    tree.put("remembered", way.remembered());
    return tree;
  }

  private static Map<String, Object> step(WalkStep step) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("place", step.place());
    tree.put("rule", step.rule());
    tree.put("effect", step.effect());
    return tree;
  }

  private static Map<String, Object> live(LivePacket packet) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("source", packet.source().toString());
    tree.put("sourcePort", packet.sourcePort());
    tree.put("verdict", packet.verdict().toString());
    tree.put("endpoint", packet.endpoint().map(Object::toString).orElse(""));
    tree.put("steps", packet.steps().stream().map(TraceTree::step).toList());
    return tree;
  }
}
