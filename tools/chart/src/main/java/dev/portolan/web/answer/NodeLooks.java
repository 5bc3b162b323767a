package dev.portolan.web.answer;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeDecision;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the brain decides for the nodes that are looked at. A view stays open for a while, as a
 * person mostly looks from the same node again.
 */
public final class NodeLooks {
  private static final int MOST = 64;
  private static final Duration IDLE = Duration.ofMinutes(2);

  private final Brain brain;
  private final Map<Key, Look> looks = new LinkedHashMap<>(16, 0.75f, true);

  private record Key(String node, NodeSettings settings) {}

  private record Look(NodeView view, long usedAt) {}

  /** Looks at what {@code brain} decides. */
  public NodeLooks(Brain brain) {
    this.brain = brain;
  }

  /** What is decided for {@code node} now. */
  public synchronized NodeDecision decision(String node, NodeSettings settings) {
    Key key = new Key(node, settings);
    Look known = looks.get(key);
    NodeView view = known == null ? brain.open(node, settings) : known.view;
    looks.put(key, new Look(view, System.nanoTime()));
    if (looks.size() > MOST) {
      closeFirst();
    }
    return view.decision();
  }

  private void closeFirst() {
    Iterator<Look> all = looks.values().iterator();
    all.next().view.close();
    all.remove();
  }

  /** Closes views that were not used for a while. */
  synchronized void rest() {
    long now = System.nanoTime();
    looks
        .values()
        .removeIf(look -> {
          boolean idle = now - look.usedAt > IDLE.toNanos();
          if (idle) {
            look.view.close();
          }
          return idle;
        });
  }
}
