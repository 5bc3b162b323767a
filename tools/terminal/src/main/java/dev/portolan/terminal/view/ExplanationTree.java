package dev.portolan.terminal.view;

import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Destination;
import dev.portolan.core.fate.Explanation.LeftOut;
import dev.portolan.core.fate.Explanation.Share;
import dev.portolan.core.fate.Explanation.Step;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.text.Tree;
import dev.portolan.terminal.VersionedTree;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Explanations as a tree for programs; {@code docs/explain.md} describes it. */
public final class ExplanationTree {
  private final Explained explained;

  /** With the places of the objects that it names. */
  public ExplanationTree(Explained explained) {
    this.explained = explained;
  }

  /** All answers, and the worst verdict among them. */
  public Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("target", explained.target());
    tree.put("proxyMode", explained.mode());
    tree.put("verdict", Explanation.worst(explained.explanations()).toString());
    tree.put("answers", explained.explanations().stream().map(this::answer).toList());
    return VersionedTree.of("Explanation", tree);
  }

  private Map<String, Object> answer(Explanation explanation) {
    Optional<Destination> to = explanation.destination();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("node", explanation.node());
    tree.put("verdict", explanation.verdict().toString());
    tree.put("subject", explanation.subject());
    tree.put("address", text(to.map(Destination::address)));
    tree.put("port", to.map(Destination::port).orElse(0));
    tree.put("protocol", text(to.map(Destination::protocol)));
    tree.put("addressKind", text(to.flatMap(Destination::kind).map(ServiceAddress.Kind::toString)));
    tree.put("client", explanation.client());
    tree.put("from", explanation.from());
    tree.put("service", text(explanation.service().map(ServicePortName::toString)));
    tree.put("endpoints", explanation.endpoints().stream().map(ExplanationTree::share).toList());
    tree.put("masquerade", explanation.masquerade());
    tree.put("leftOut", explanation.leftOut().stream().map(this::leftOut).toList());
    tree.put("steps", explanation.steps().stream().map(this::step).toList());
    return tree;
  }

  private static Map<String, Object> share(Share share) {
    Map<String, Object> tree = Tree.of(share.endpoint());
    tree.put("target", share.target());
    tree.put("share", share.share());
    tree.put("masquerade", share.masquerade());
    tree.put("reason", share.reason().sentence());
    return tree;
  }

  private Map<String, Object> leftOut(LeftOut out) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("address", out.address());
    tree.put("port", out.port());
    tree.put("reason", out.reason().sentence());
    putSource(tree, out.source());
    return tree;
  }

  private Map<String, Object> step(Step step) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("text", step.text());
    putSource(tree, step);
    return tree;
  }

  private void putSource(Map<String, Object> tree, Step step) {
    tree.put("object", text(step.object().map(ObjectRef::toString)));
    tree.put("field", step.field());
    tree.put("place", text(step.object().flatMap(explained::place)));
  }

  private static String text(Optional<?> value) {
    return value.map(Object::toString).orElse("");
  }
}
