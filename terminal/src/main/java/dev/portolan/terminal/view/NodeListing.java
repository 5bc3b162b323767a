package dev.portolan.terminal.view;

import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeTree;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceAddress.Kind;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.TextTable.Cell;
import dev.portolan.terminal.TextTable.Column;
import dev.portolan.terminal.TextTable.Fit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** What {@code show} can list. */
public enum NodeListing {
  /** One line per service port and family. */
  SERVICES,
  /** One line per endpoint of a service port. */
  ENDPOINTS,
  /** What is known of the node. */
  NODE;

  /** The lines of a table; the wide one has more columns and cuts nothing. */
  public List<String> lines(Excerpt excerpt, boolean wide, Terminal terminal) {
    OptionalInt width = wide ? OptionalInt.empty() : OptionalInt.of(terminal.width());
    return switch (this) {
      case SERVICES ->
          (wide ? wideServices(excerpt) : services(excerpt)).withTitles(width, terminal);
      case ENDPOINTS -> endpoints(excerpt, wide).withTitles(width, terminal);
      case NODE -> NodeText.lines(excerpt, terminal);
    };
  }

  /** The same for programs. */
  public Map<String, Object> tree(Excerpt excerpt) {
    Map<String, Object> tree = NodeTree.ofNode(excerpt.revision(), excerpt.facts());
    return switch (this) {
      case SERVICES -> NodeTree.of(excerpt.revision(), excerpt.facts(), excerpt.services());
      case NODE -> tree;
      case ENDPOINTS -> {
        List<Map<String, Object>> endpoints = new ArrayList<>();
        forEachPort(
            excerpt,
            (service, port) -> {
              Uses uses = Uses.of(port);
              for (Endpoint endpoint : all(port)) {
                Map<String, Object> entry = new LinkedHashMap<>();
                entry.put("service", service.name().toString());
                entry.put("servicePort", port.name().port());
                entry.put("protocol", port.name().protocol().toString());
                entry.putAll(NodeTree.endpoint(endpoint));
                entry.put("usedFor", uses.of(endpoint));
                endpoints.add(entry);
              }
            });
        tree.put("endpoints", endpoints);
        yield tree;
      }
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static TextTable services(Excerpt excerpt) {
    TextTable table =
        new TextTable(
            new Column("SERVICE", Fit.CUT_MIDDLE, 16),
            new Column("CLUSTER IP", Fit.CUT_MIDDLE, 15),
            new Column("PORT", Fit.NEVER_CUT, 0),
            new Column("ENDPOINTS", Fit.CUT_END, 9),
            new Column("NOTE", Fit.CUT_END, 8));
    forEachPort(
        excerpt,
        (service, port) ->
            table.row(
                Cell.of(port.name().toString()),
                Cell.of(port.clusterIp().address().toString()),
                Cell.of(PortText.port(port)),
                Cell.of(PortText.count(port)),
                new Cell(PortText.note(port), Paint.RED)));
    return table;
  }

  private static TextTable wideServices(Excerpt excerpt) {
    TextTable table =
        new TextTable(
            unlimited(
                "SERVICE",
                "TYPE",
                "CLUSTER IP",
                "PORT",
                "EXTERNAL IPS",
                "LOAD BALANCER IPS",
                "SOURCE RANGES",
                "INTERNAL",
                "EXTERNAL",
                "AFFINITY",
                "ENDPOINTS",
                "NOTE",
                "CHOSEN"));
    forEachPort(
        excerpt,
        (service, port) -> {
          table.row(
              Cell.of(port.name().toString()),
              Cell.of(service.type().toString()),
              Cell.of(port.clusterIp().address().toString()),
              Cell.of(PortText.port(port)),
              Cell.of(list(port.ips(Kind.EXTERNAL_IP))),
              Cell.of(list(port.ips(Kind.LOAD_BALANCER_IP))),
              Cell.of(list(port.sourceRanges())),
              Cell.of(port.route(Traffic.INTERNAL).pool().toString()),
              Cell.of(PortText.externalPool(port)),
              Cell.of(port.affinitySeconds() == 0 ? "-" : port.affinitySeconds() + "s"),
              Cell.of(PortText.count(port)),
              new Cell(dashed(PortText.note(port)), Paint.RED),
              Cell.of(chosen(port)));
        });
    return table;
  }

  private static TextTable endpoints(Excerpt excerpt, boolean wide) {
    TextTable table =
        wide
            ? new TextTable(
                unlimited("SERVICE", "CLUSTER IP", "PORT", "ENDPOINT", "NODE", "USED FOR"))
            : new TextTable(
                new Column("SERVICE", Fit.CUT_MIDDLE, 20),
                new Column("ENDPOINT", Fit.CUT_MIDDLE, 21),
                new Column("NODE", Fit.CUT_MIDDLE, 12),
                new Column("USED FOR", Fit.NEVER_CUT, 0));
    forEachPort(
        excerpt,
        (service, port) -> {
          Uses used = Uses.of(port);
          for (Endpoint endpoint : all(port)) {
            List<Cell> cells = new ArrayList<>();
            cells.add(Cell.of(port.name().toString()));
            if (wide) {
              cells.add(Cell.of(port.clusterIp().address().toString()));
              cells.add(Cell.of(PortText.port(port)));
            }
            List<String> uses = used.of(endpoint);
            cells.add(Cell.of(endpoint.toString()));
            cells.add(Cell.of(dashed(endpoint.node())));
            cells.add(
                uses.isEmpty() ? new Cell("none", Paint.FAINT) : Cell.of(String.join(",", uses)));
            table.row(cells.toArray(Cell[]::new));
          }
        });
    return table;
  }

  private interface PortVisitor {
    void visit(NodeService service, ServicePort port);
  }

  private static void forEachPort(Excerpt excerpt, PortVisitor visitor) {
    for (NodeService service : excerpt.services()) {
      for (ServicePort port : service.ports()) {
        visitor.visit(service, port);
      }
    }
  }

  private static SortedSet<Endpoint> all(ServicePort port) {
    SortedSet<Endpoint> all = new TreeSet<>(port.serving());
    all.addAll(port.cluster());
    all.addAll(port.local());
    return all;
  }

  /** In which pools the endpoints of a port are. */
  private record Uses(Set<Endpoint> cluster, Set<Endpoint> local) {
    static Uses of(ServicePort port) {
      return new Uses(new HashSet<>(port.cluster()), new HashSet<>(port.local()));
    }

    List<String> of(Endpoint endpoint) {
      List<String> uses = new ArrayList<>();
      if (cluster.contains(endpoint)) {
        uses.add("cluster");
      }
      if (local.contains(endpoint)) {
        uses.add("local");
      }
      return uses;
    }
  }

  private static String chosen(ServicePort port) {
    String cluster = list(port.cluster());
    String local = "local " + list(port.local());
    if (!port.routes().use(Pool.LOCAL)) {
      return cluster;
    }
    return port.routes().use(Pool.CLUSTER) ? cluster + " " + local : local;
  }

  private static String list(List<?> values) {
    return dashed(String.join(",", values.stream().map(Object::toString).toList()));
  }

  private static String dashed(String text) {
    return text.isEmpty() ? "-" : text;
  }

  private static Column[] unlimited(String... titles) {
    Column[] columns = new Column[titles.length];
    for (int i = 0; i < titles.length; i++) {
      columns[i] = new Column(titles[i], Fit.NEVER_CUT, 0);
    }
    return columns;
  }
}
