package dev.portolan.testkit;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.testkit.Scenario.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * What must hold of every scenario, whatever it is about:
 *
 * <ul>
 *   <li>the differences between two images lead from the one to the other;
 *   <li>a brain that learns the final objects at once, or one by one in another order, decides the
 *       same as the one that lived through the story;
 *   <li>objects that come again unchanged make no new revision.
 * </ul>
 */
final class Invariants {
  private final Scenario scenario;
  private final Brain brain;
  private final NodeView view;
  private final List<NodeImage> images = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  Invariants(Scenario scenario, Brain brain, NodeView view) {
    this.scenario = scenario;
    this.brain = brain;
    this.view = view;
    images.add(view.image());
  }

  /** Looks at the image after a transaction. */
  void observe(Step step) {
    NodeImage before = images.getLast();
    NodeImage now = view.image();
    images.add(now);
    checkDelta(before, now, step.section().line());
    check(
        !before.isSynced() || !before.sameAs(now) || now.revision() == before.revision(),
        step.section().line(),
        "a new revision, but nothing is different");
    check(
        before.sameAs(now) || now.revision() > before.revision(),
        step.section().line(),
        "something is different, but the revision is the same");
  }

  /** Checks what can be checked at the end only; returns all that failed. */
  List<String> failures() {
    int line = scenario.steps().getLast().section().line();
    NodeImage last = view.image();
    for (NodeImage earlier : images) {
      checkDelta(earlier, last, line);
    }
    ClusterImage objects = freshObjects();
    check(
        imageOf(List.of(Transactions.setting(objects))).sameAs(last),
        line,
        "a brain that learns the final objects at once decides otherwise");
    List<ClusterDelta> each = Transactions.settingEach(objects);
    check(
        imageOf(each).sameAs(last) && imageOf(each.reversed()).sameAs(last),
        line,
        "a brain that learns the final objects one by one decides otherwise");
    brain.apply(Transactions.setting(objects));
    check(
        view.image().revision() == last.revision(),
        line,
        "the same objects once more make a new revision");
    return List.copyOf(failures);
  }

  /** The final objects, read again: equal to the brain's, but not the same instances. */
  private ClusterImage freshObjects() {
    ClusterImage objects = ClusterImage.EMPTY;
    for (Step step : Scenario.parse(scenario.file(), String.join("\n", scenario.lines())).steps()) {
      objects =
          switch (step) {
            case Step.SetObjects set -> Transactions.setting(set.objects()).applyTo(objects);
            case Step.Delete delete -> Transactions.deleting(delete.objects()).applyTo(objects);
            case Step.Expect _, Step.Explain _ -> objects;
          };
    }
    return objects;
  }

  private NodeImage imageOf(List<ClusterDelta> transactions) {
    Brain other = new Brain(scenario.cluster(), warning -> {});
    NodeView seen = other.open(scenario.node(), scenario.settings());
    other.apply(ClusterDelta.EMPTY);
    transactions.forEach(other::apply);
    return seen.image();
  }

  private void checkDelta(NodeImage from, NodeImage to, int line) {
    check(
        leadsTo(NodeChange.between(from, to)).equals(to),
        line,
        "the change from revision " + from.revision() + " does not lead to the image");
  }

  /** The image that the differences make of the one before. */
  private static NodeImage leadsTo(NodeChange change) {
    PersistentMap<NamespacedName, NodeService> services = change.before().services().flat();
    for (ServiceChange service : change.services()) {
      services = services.put(service.name(), service.after());
    }
    return NodeImage.of(
        change.after().revision(),
        change.factsChanged() ? change.after().facts() : change.before().facts(),
        services);
  }

  private void check(boolean holds, int line, String failure) {
    if (!holds) {
      failures.add(scenario.file() + ":" + line + ": " + failure);
    }
  }
}
