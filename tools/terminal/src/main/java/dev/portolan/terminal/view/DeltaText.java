package dev.portolan.terminal.view;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import dev.portolan.core.text.Tree;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one revision changed, for a person: a line of names, then a line or two a service port. */
public final class DeltaText {
  private static final int MOST_ENDPOINTS = 12;

  private final Terminal terminal;
  private final int width;
  private final List<String> lines = new ArrayList<>();

  /** One port of a service in one family. */
  private record Key(ServicePortName name, IpFamily family) {}

  private DeltaText(int width, Terminal terminal) {
    this.terminal = terminal;
    this.width = width;
  }

  /** The lines that say what {@code change} does to the services that are {@code wanted}. */
  static List<String> lines(NodeChange change, List<ServiceChange> wanted, Terminal terminal) {
    return lines(change, wanted, terminal.width(), terminal);
  }

  /** The same in lines of {@code width} columns. */
  public static List<String> lines(
      NodeChange change, List<ServiceChange> wanted, int width, Terminal terminal) {
    DeltaText text = new DeltaText(width, terminal);
    text.describe(change, wanted);
    return text.lines;
  }

  /** What {@code change} does to one service, in lines of {@code width} columns. */
  public static List<String> lines(ServiceChange change, int width, Terminal terminal) {
    DeltaText text = new DeltaText(width, terminal);
    text.services(List.of(change));
    return text.lines;
  }

  private void describe(NodeChange change, List<ServiceChange> wanted) {
    List<String> names = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    int added = 0;
    for (ServiceChange service : wanted) {
      added += service.isAddition() ? 1 : 0;
      if (service.isRemoval()) {
        gone.add("-" + service.name());
      } else {
        names.add((service.isAddition() ? "+" : "~") + service.name());
      }
    }
    int set = names.size();
    names.addAll(gone);
    if (change.factsChanged()) {
      names.addFirst("~node");
    }
    String start = "revision " + change.after().revision() + ":";
    String header = start + " " + String.join("  ", names);
    if (header.length() > width) {
      header =
          start
              + (change.factsChanged() ? " ~node, " : " ")
              + added
              + " services added, "
              + (set - added)
              + " changed, "
              + gone.size()
              + " removed";
    }
    lines.add(terminal.paint(Paint.BOLD, header));
    if (change.factsChanged()) {
      Map<String, Object> before = Tree.of(change.before().facts());
      change("node", fields(before, Tree.of(change.after().facts()), new ArrayList<>()));
    }
    services(wanted);
  }

  private void services(List<ServiceChange> wanted) {
    for (ServiceChange service : wanted) {
      if (service.after() != null) {
        ports(service.name(), service.before(), service.after());
      }
    }
    for (ServiceChange service : wanted) {
      if (service.isRemoval()) {
        add(Paint.RED, "- " + service.name(), List.of());
      }
    }
  }

  private void ports(NamespacedName name, @Nullable NodeService old, NodeService now) {
    Map<Key, ServicePort> gone = new LinkedHashMap<>();
    if (old != null) {
      old.ports().forEach(port -> gone.put(key(port), port));
      List<String> changes = new ArrayList<>();
      Tree.differences(
          old,
          now,
          (field, was, is) -> {
            switch (field) {
              case "ports" -> {}
              case "localReadyEndpoints" -> changes.add("ready on this node " + was + " → " + is);
              default -> changed(changes, field, was, is);
            }
          });
      if (!changes.isEmpty()) {
        change(name.toString(), changes);
      }
    }
    for (ServicePort port : now.ports()) {
      ServicePort before = gone.remove(key(port));
      if (before == null) {
        String note = PortText.note(port);
        add(
            Paint.GREEN,
            "+ " + port.name(),
            List.of(
                port.clusterIp().address().toString(),
                PortText.port(port),
                endpoints(PortText.count(port)),
                note));
      } else if (!before.equals(port)) {
        change(label(port, now), changes(before, port));
      }
    }
    gone.values().forEach(port -> add(Paint.RED, "- " + label(port, now), List.of()));
  }

  private static List<String> changes(ServicePort before, ServicePort now) {
    List<String> changes = new ArrayList<>();
    boolean both = usesBoth(before) || usesBoth(now);
    endpoints(changes, both ? "cluster " : "", before.cluster(), now.cluster());
    endpoints(changes, both ? "local " : "", before.local(), now.local());
    if (changes.isEmpty()) {
      endpoints(changes, "still serving ", before.serving(), now.serving());
    }
    for (Traffic traffic : Traffic.values()) {
      verdict(changes, label(traffic), before.verdict(traffic), now.verdict(traffic));
    }
    Map<String, Object> fields = Tree.of(now);
    fields.keySet().removeAll(List.of("endpoints", "verdicts", "uses"));
    return fields(Tree.of(before), fields, changes);
  }

  private static boolean usesBoth(ServicePort port) {
    return port.routes().use(Pool.LOCAL) && port.routes().use(Pool.CLUSTER);
  }

  private static void endpoints(
      List<String> changes, String label, List<Endpoint> before, List<Endpoint> now) {
    List<String> words = new ArrayList<>();
    difference(now, before).forEach(endpoint -> words.add("+" + endpoint));
    difference(before, now).forEach(endpoint -> words.add("-" + endpoint));
    if (words.isEmpty()) {
      return;
    }
    int more = words.size() - MOST_ENDPOINTS;
    List<String> first = more > 0 ? words.subList(0, MOST_ENDPOINTS) : words;
    changes.add(
        label + String.join(" ", first) + (more > 0 ? " and " + more + " more changes" : ""));
  }

  private static Set<Endpoint> difference(List<Endpoint> these, List<Endpoint> others) {
    Set<Endpoint> difference = new LinkedHashSet<>(these);
    others.forEach(difference::remove);
    return difference;
  }

  private static String label(Traffic traffic) {
    return switch (traffic) {
      case INTERNAL -> "internal";
      case EXTERNAL -> "external";
      case SHORT_CIRCUIT -> "from pods and node";
    };
  }

  private static void verdict(List<String> changes, String label, Verdict before, Verdict now) {
    if (before != now) {
      changes.add(label + " " + before + " → " + now);
    }
  }

  private static List<String> fields(
      Map<String, Object> before, Map<String, Object> now, List<String> changes) {
    now.forEach((field, value) -> changed(changes, field, before.get(field), value));
    return changes;
  }

  private static void changed(
      List<String> changes, String field, @Nullable Object before, Object now) {
    if (!Objects.equals(before, now)) {
      changes.add(field + " " + word(before) + " → " + word(now));
    }
  }

  private static String word(@Nullable Object value) {
    String text = value == null ? "" : value.toString();
    return text.isEmpty() || text.equals("[]") || text.equals("0") ? "none" : text;
  }

  private void change(String name, List<String> changes) {
    add(Paint.YELLOW, "~ " + name, changes);
  }

  /** Adds a line; where it is too long it goes on in the next. */
  private void add(Paint paint, String start, List<String> words) {
    String indent = "  ";
    String more = "      ";
    StringBuilder line = new StringBuilder(indent).append(terminal.paint(paint, start));
    int length = indent.length() + start.length();
    for (String change : words) {
      for (String word : change.split(" ", -1)) {
        if (word.isEmpty()) {
          continue;
        }
        boolean first = change.startsWith(word);
        if (length + 2 + word.length() > width) {
          lines.add(line.toString());
          line = new StringBuilder(more);
          length = more.length();
        } else {
          line.append(first ? "  " : " ");
          length += first ? 2 : 1;
        }
        line.append(Text.printable(word));
        length += word.length();
      }
    }
    lines.add(line.toString());
  }

  private static String endpoints(String count) {
    return count.equals("1") ? "1 endpoint" : count + " endpoints";
  }

  private static Key key(ServicePort port) {
    return new Key(port.name(), port.family());
  }

  /** The port's name, with its family where the service has both. */
  private static String label(ServicePort port, NodeService service) {
    boolean dual = service.ports().stream().anyMatch(other -> other.family() != port.family());
    return dual ? port.name() + " " + port.family() : port.name().toString();
  }
}
