package dev.portolan.cli.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Holds the items of a stream against the rules: Reset first and only then, Sync last, and between
 * them each kind of item in its turn and in the order of paths. On the local stream an endpoint is
 * never without its service, not even between two items.
 */
final class ItemOrder {
  private static final List<String> LOCAL =
      List.of("Set ServicesSet", "Delete EndpointsSet", "Set EndpointsSet", "Delete ServicesSet");
  private static final List<String> GLOBAL =
      List.of(
          "Set GlobalNodeInfos",
          "Set GlobalServiceInfos",
          "Set GlobalEndpointInfos",
          "Delete GlobalEndpointInfos",
          "Delete GlobalServiceInfos",
          "Delete GlobalNodeInfos");

  /** An endpoint comes right after its service. */
  private static final Comparator<String> BY_PATH =
      Comparator.comparing(path -> path.replace('/', '\0'));

  private final List<String> turns;
  private final Set<String> held = new HashSet<>();
  private int turn;
  private String last = "";
  private int inChange;
  private int syncs;

  private ItemOrder(List<String> turns) {
    this.turns = turns;
  }

  static void checkLocal(List<String> items) {
    new ItemOrder(LOCAL).check(items);
  }

  static void checkGlobal(List<String> items) {
    new ItemOrder(GLOBAL).check(items);
  }

  private void check(List<String> items) {
    assertThat(items.getFirst()).isEqualTo("Reset");
    assertThat(items.subList(1, items.size())).doesNotContain("Reset");
    for (String item : items.subList(1, items.size())) {
      if (item.equals("Sync")) {
        assertThat(inChange > 0 || syncs == 0).as("nothing before Sync %d", syncs + 1).isTrue();
        syncs++;
        inChange = 0;
        turn = 0;
        last = "";
      } else {
        take(item);
      }
    }
  }

  private void take(String item) {
    inChange++;
    String kind = item.substring(0, item.lastIndexOf(' '));
    String path = item.substring(item.lastIndexOf(' ') + 1);
    int now = turns.indexOf(kind);
    assertThat(now).as(item).isGreaterThanOrEqualTo(turn);
    boolean deletes = kind.startsWith("Delete");
    if (now == turn && !last.isEmpty()) {
      assertThat(BY_PATH.compare(last, path) < 0)
          .as("%s after %s", item, last)
          .isNotEqualTo(deletes);
    }
    turn = now;
    last = path;
    String key = item.substring(item.indexOf(' ') + 1);
    if (deletes) {
      assertThat(held.remove(key)).as(item).isTrue();
    } else {
      held.add(key);
    }
    if (kind.equals("Set EndpointsSet")) {
      assertThat(held).as(item).contains("ServicesSet " + path.substring(0, path.lastIndexOf('/')));
    }
    if (kind.equals("Delete ServicesSet")) {
      assertThat(held).as(item).noneMatch(other -> other.startsWith("EndpointsSet " + path + "/"));
    }
  }
}
