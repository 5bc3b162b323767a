package dev.portolan.analyze;

import java.util.List;
import java.util.function.Consumer;

/** Looks for one kind of mistake, or for a few that are found by the same look. */
public interface Check {
  /** The mistakes that it can find. */
  List<KnownMistake> mistakes();

  /** Looks at a cluster, and hands over what it finds. */
  void look(Survey survey, Consumer<ClusterFinding> findings);
}
