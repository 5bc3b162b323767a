package dev.portolan.terminal.view;

import dev.portolan.brain.explain.Explanation;
import dev.portolan.core.cluster.ObjectRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What happens to connections, and why.
 *
 * @param explanations one for each port that was asked about
 * @param places where objects are written, as {@code file:line}
 */
public record Explained(List<Explanation> explanations, Map<ObjectRef, String> places) {
  /** Where an object is written, where that is known. */
  Optional<String> place(ObjectRef object) {
    return Optional.ofNullable(places.get(object));
  }
}
