package dev.portolan.terminal.view;

import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.fate.Explanation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What happens to connections, and why.
 *
 * @param target what was asked about
 * @param mode the mode that it is true of; empty where a server does not say
 * @param allNodes whether every node was asked about, and not one
 * @param explanations one for each address and port of the target, on each node
 * @param places where objects are written, as {@code file:line}
 */
public record Explained(
    String target,
    String mode,
    boolean allNodes,
    List<Explanation> explanations,
    Function<ObjectRef, Optional<String>> places) {
  /** Where an object is written, where that is known. */
  Optional<String> place(ObjectRef object) {
    return places.apply(object);
  }

  /** The explanations, those together that differ in nothing but the address. */
  List<List<Explanation>> groups() {
    List<List<Explanation>> groups = new ArrayList<>();
    for (Explanation explanation : explanations) {
      groups.stream()
          .filter(group -> group.getFirst().isLike(explanation))
          .findFirst()
          .orElseGet(() -> {
            groups.add(new ArrayList<>());
            return groups.getLast();
          })
          .add(explanation);
    }
    return groups;
  }
}
