package dev.portolan.terminal.view;

import dev.portolan.brain.explain.Explanation;
import dev.portolan.brain.explain.Explanation.LeftOut;
import dev.portolan.brain.explain.Explanation.Share;
import dev.portolan.brain.explain.Explanation.Step;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.node.NodeTree;
import dev.portolan.core.node.ServicePortName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Explanations as a tree for programs. Fields keep their names and meanings; new ones may join.
 *
 * <ul>
 *   <li>{@code verdict}: {@code forward}, {@code reject}, {@code drop}, or {@code none} where
 *       nothing of ours matches
 *   <li>{@code subject}, {@code client}: what was asked; {@code service}: who answers, or null
 *   <li>{@code endpoints}: each once, with its {@code share} of new connections between 0 and 1
 *   <li>{@code masquerade}: whether every connection is; else look at each endpoint's own
 *   <li>{@code leftOut}: endpoints that get nothing; {@code steps}: what led there, in order
 *   <li>{@code others}: where the target has several ports, the same for the ones after the first
 * </ul>
 *
 * A {@code place} is the file and line of an object; it and {@code object} are null where there is
 * none.
 */
public final class ExplanationTree {
  private final Explained explained;

  /** With the places of the objects that it names. */
  public ExplanationTree(Explained explained) {
    this.explained = explained;
  }

  /** The first explanation with the others inside it. */
  public Map<String, @Nullable Object> tree() {
    List<Explanation> explanations = explained.explanations();
    Map<String, @Nullable Object> tree = of(explanations.getFirst());
    if (explanations.size() > 1) {
      tree.put("others", explanations.stream().skip(1).map(this::of).toList());
    }
    return tree;
  }

  private Map<String, @Nullable Object> of(Explanation explanation) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("verdict", explanation.verdict().toString());
    tree.put("subject", explanation.subject());
    tree.put("client", explanation.client());
    tree.put("service", explanation.service().map(ServicePortName::toString).orElse(null));
    tree.put("endpoints", explanation.endpoints().stream().map(ExplanationTree::share).toList());
    tree.put("masquerade", explanation.masquerade());
    tree.put("leftOut", explanation.leftOut().stream().map(this::leftOut).toList());
    tree.put("steps", explanation.steps().stream().map(this::step).toList());
    return tree;
  }

  private static Map<String, Object> share(Share share) {
    Map<String, Object> tree = NodeTree.endpoint(share.endpoint());
    tree.put("target", share.target());
    tree.put("share", share.share());
    tree.put("masquerade", share.masquerade());
    tree.put("reason", share.reason().sentence());
    return tree;
  }

  private Map<String, @Nullable Object> leftOut(LeftOut out) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("address", out.address());
    tree.put("reason", out.reason().sentence());
    putSource(tree, out.source());
    return tree;
  }

  private Map<String, @Nullable Object> step(Step step) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("text", step.text());
    putSource(tree, step);
    return tree;
  }

  private void putSource(Map<String, @Nullable Object> tree, Step step) {
    tree.put("object", step.object().map(ObjectRef::toString).orElse(null));
    tree.put("field", step.field());
    tree.put("place", step.object().flatMap(explained::place).orElse(null));
  }
}
