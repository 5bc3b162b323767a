package dev.portolan.timemachine.diff;

import dev.portolan.compare.FieldChange;
import dev.portolan.compare.ObjectDiff;
import dev.portolan.compare.decisions.ClusterComparison;
import dev.portolan.compare.decisions.Gravity;
import dev.portolan.compare.decisions.PortDifference;
import dev.portolan.compare.decisions.Presence;
import dev.portolan.compare.decisions.PropertyChange;
import dev.portolan.compare.decisions.ServiceDifference;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What differs, for people: a paragraph per service, the worst first, and a line that counts. */
final class DiffText {
  private static final int MOST_CAUSES = 4;
  private static final int MOST_VARIANTS = 3;
  private static final String INDENT = "  ";

  private final ObjectDiff causes;
  private final boolean twoNodes;
  private final Terminal terminal;

  /** Says why with {@code causes}. */
  DiffText(ObjectDiff causes, boolean twoNodes, Terminal terminal) {
    this.causes = causes;
    this.twoNodes = twoNodes;
    this.terminal = terminal;
  }

  /** Prints everything. */
  void print(ClusterComparison comparison) {
    for (ServiceDifference service : comparison.services()) {
      print(service);
      terminal.print("");
    }
    printNodes(comparison);
    terminal.print(count(comparison));
  }

  private void print(ServiceDifference service) {
    boolean onePort = service.ports().size() == 1;
    String title =
        onePort ? title(service.ports().getFirst()) : Text.printable(service.name().toString());
    heading(title + state(service.presence()), service.gravity());
    LabelledLines lines = new LabelledLines(terminal, INDENT);
    printCauses(causes.causes(service.name()), lines);
    printProperties(service.properties(), lines);
    if (onePort) {
      new PortDiffText(lines, twoNodes).add(service.ports().getFirst());
    }
    terminal.print(lines.lines());
    if (!onePort) {
      for (PortDifference port : service.ports()) {
        terminal.print(INDENT + title(port) + state(port.presence()));
        LabelledLines below = new LabelledLines(terminal, INDENT + INDENT);
        new PortDiffText(below, twoNodes).add(port);
        terminal.print(below.lines());
      }
    }
  }

  private void heading(String title, Gravity gravity) {
    boolean bad = gravity == Gravity.BREAKS;
    terminal.print(terminal.paint(bad ? Paint.RED : Paint.BOLD, title));
  }

  private static String title(PortDifference port) {
    return Text.printable(port.name().toString())
        + "  "
        + port.clusterIp().address().withPort(port.clusterIp().port())
        + "/"
        + port.name().protocol();
  }

  private static String state(Presence presence) {
    return switch (presence) {
      case ADDED -> "  (new)";
      case REMOVED -> "  (gone)";
      case CHANGED -> "";
    };
  }

  /** One line per object; of many changes the first ones. */
  private static void printCauses(List<FieldChange> changes, LabelledLines lines) {
    Map<ObjectRef, Integer> rest = new LinkedHashMap<>();
    int said = 0;
    for (FieldChange change : changes) {
      if (said < MOST_CAUSES) {
        lines.add("because", Paint.NONE, change.toString().replace(" -> ", " → "));
        said++;
      } else {
        rest.merge(change.object(), 1, Integer::sum);
      }
    }
    rest.forEach((object, count) ->
        lines.add(
            "because",
            Paint.NONE,
            object + ": " + count + " more " + (count == 1 ? "change" : "changes")));
  }

  static void printProperties(List<PropertyChange> properties, LabelledLines lines) {
    for (PropertyChange change : properties) {
      lines.add(
          "setting",
          Paint.YELLOW,
          change.property()
              + " "
              + word(change.before())
              + " → "
              + word(change.after())
              + NodesPhrase.on(change.nodes()));
    }
  }

  private static String word(String value) {
    return value.isEmpty() ? "none" : value;
  }

  private void printNodes(ClusterComparison comparison) {
    LabelledLines lines = new LabelledLines(terminal, INDENT);
    if (!comparison.nodesAdded().isEmpty()) {
      lines.add("new", Paint.GREEN, String.join(", ", comparison.nodesAdded()));
    }
    if (!comparison.nodesRemoved().isEmpty()) {
      lines.add("gone", Paint.RED, String.join(", ", comparison.nodesRemoved()));
    }
    Map<String, List<PropertyChange>> facts = new LinkedHashMap<>();
    comparison
        .facts()
        .forEach(
            fact -> facts.computeIfAbsent(fact.property(), key -> new ArrayList<>()).add(fact));
    facts.forEach((fact, changes) -> {
      // Each node may have an address of its own in it.
      printProperties(changes.subList(0, Math.min(MOST_VARIANTS, changes.size())), lines);
      int more = changes.size() - MOST_VARIANTS;
      if (more > 0) {
        lines.add("setting", Paint.YELLOW, fact + " in " + NodesPhrase.number(more) + " more ways");
      }
    });
    if (!lines.lines().isEmpty()) {
      terminal.print(terminal.paint(Paint.BOLD, "nodes"));
      terminal.print(lines.lines());
      terminal.print("");
    }
  }

  /** The last line: {@code 2 services differ on 3 of 3 nodes; 15 are the same}. */
  private static String count(ClusterComparison comparison) {
    int services = comparison.services().size();
    int looked = comparison.nodes().size();
    String same = NodesPhrase.number(comparison.servicesSame());
    if (comparison.isEmpty()) {
      return "no difference: "
          + same
          + (comparison.servicesSame() == 1 ? " service is" : " services are")
          + " the same"
          + (looked == 1 ? "" : " on all " + NodesPhrase.number(looked) + " nodes");
    }
    return (services == 0 ? "no" : NodesPhrase.number(services))
        + (services > 1 ? " services differ" : " service differs")
        + (looked == 1 || services == 0
            ? ""
            : " on "
                + NodesPhrase.number(comparison.differing().size())
                + " of "
                + NodesPhrase.number(looked)
                + " nodes")
        + "; "
        + same
        + (comparison.servicesSame() == 1 ? " is" : " are")
        + " the same";
  }
}
