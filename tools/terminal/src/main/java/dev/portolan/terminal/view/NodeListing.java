package dev.portolan.terminal.view;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceAddress.Kind;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.text.Tree;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.TextTable.Cell;
import dev.portolan.terminal.TextTable.Column;
import dev.portolan.terminal.TextTable.Fit;
import dev.portolan.terminal.query.ResultTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

  /** The lines of a table. */
  public List<String> lines(Excerpt excerpt, ListingStyle style, Terminal terminal) {
    return switch (this) {
      case SERVICES -> {
        Excerpt sorted =
            new Excerpt(
                excerpt.revision(), excerpt.facts(), style.sorted(excerpt.services(), Tree::of));
        yield style.lines(style.wide() ? wideServices(sorted) : services(sorted), terminal);
      }
      case ENDPOINTS -> style.lines(endpoints(uses(excerpt, style), style.wide()), terminal);
      case NODE -> NodeText.lines(excerpt, terminal);
    };
  }

  /** The same for programs. */
  public ResultTree result(Excerpt excerpt, ListingStyle style) {
    return switch (this) {
      case SERVICES ->
          ResultTree.list(
              "ServiceList",
              excerpt,
              "services",
              style.sorted(excerpt.services(), Tree::of),
              service -> "service/" + service.name());
      case NODE -> ResultTree.of("Node", "node/" + excerpt.facts().name(), excerpt);
      case ENDPOINTS ->
          ResultTree.list(
              "EndpointList",
              excerpt,
              "endpoints",
              uses(excerpt, style),
              use -> "endpoint/" + use.endpoint);
    };
  }

  /** The listing that a word means, with the short names of kubectl. */
  public static Optional<NodeListing> of(String word) {
    return switch (word) {
      case "services", "service", "svc" -> Optional.of(SERVICES);
      case "endpoints", "endpoint", "ep", "endpointslices", "endpointslice" ->
          Optional.of(ENDPOINTS);
      case "node", "nodes", "no" -> Optional.of(NODE);
      default -> Optional.empty();
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
                "BALANCING",
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
              Cell.of(
                  port.balancing().kind() + (port.balancing().isWeighted() ? " with weights" : "")),
              Cell.of(PortText.count(port)),
              new Cell(dashed(PortText.note(port)), Paint.RED),
              Cell.of(chosen(port)));
        });
    return table;
  }

  private static TextTable endpoints(List<Use> uses, boolean wide) {
    TextTable table =
        wide
            ? new TextTable(
                unlimited("SERVICE", "CLUSTER IP", "PORT", "ENDPOINT", "NODE", "USED FOR"))
            : new TextTable(
                new Column("SERVICE", Fit.CUT_MIDDLE, 20),
                new Column("ENDPOINT", Fit.CUT_MIDDLE, 21),
                new Column("NODE", Fit.CUT_MIDDLE, 12),
                new Column("USED FOR", Fit.NEVER_CUT, 0));
    for (Use use : uses) {
      List<Cell> cells = new ArrayList<>();
      cells.add(Cell.of(use.port.name().toString()));
      if (wide) {
        cells.add(Cell.of(use.port.clusterIp().address().toString()));
        cells.add(Cell.of(PortText.port(use.port)));
      }
      cells.add(Cell.of(use.endpoint.toString()));
      cells.add(Cell.of(dashed(use.endpoint.node())));
      cells.add(
          use.uses.isEmpty() ? new Cell("none", Paint.FAINT) : Cell.of(String.join(",", use.uses)));
      table.row(cells.toArray(Cell[]::new));
    }
    return table;
  }

  /** An endpoint of a service port, and the pools that it is in. */
  private record Use(NodeService service, ServicePort port, Endpoint endpoint, List<String> uses)
      implements Tree.Shown {
    private record Row(
        NamespacedName service,
        String servicePort,
        Protocol protocol,
        @Tree.Inline Endpoint endpoint,
        List<String> usedFor) {}

    @Override
    public Object shown() {
      return new Row(service.name(), port.name().port(), port.name().protocol(), endpoint, uses);
    }
  }

  private static List<Use> uses(Excerpt excerpt, ListingStyle style) {
    List<Use> uses = new ArrayList<>();
    forEachPort(
        excerpt,
        (service, port) -> {
          Set<Endpoint> cluster = new HashSet<>(port.cluster());
          Set<Endpoint> local = new HashSet<>(port.local());
          SortedSet<Endpoint> all = new TreeSet<>(port.serving());
          all.addAll(cluster);
          all.addAll(local);
          for (Endpoint endpoint : all) {
            List<String> pools = new ArrayList<>();
            if (cluster.contains(endpoint)) {
              pools.add("cluster");
            }
            if (local.contains(endpoint)) {
              pools.add("local");
            }
            uses.add(new Use(service, port, endpoint, pools));
          }
        });
    return style.sorted(uses, Tree::of);
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
