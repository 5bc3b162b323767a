package dev.portolan.terminal.view;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceAddress.Kind;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
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
import java.util.function.Function;

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
        yield style.lines(
            table(Line.of(sorted), style.wide() ? wideServices() : services()), terminal);
      }
      case ENDPOINTS ->
          style.lines(
              table(uses(excerpt, style), style.wide() ? wideEndpoints() : endpoints()), terminal);
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

  /** A column of a table, and what stands in it. */
  private record Part<T>(Column column, Function<T, Cell> cell) {
    static <T> Part<T> of(String title, Fit fit, int least, Function<T, Object> value) {
      return new Part<>(
          new Column(title, fit, least), item -> Cell.of(value.apply(item).toString()));
    }

    static <T> Part<T> whole(String title, Function<T, Object> value) {
      return of(title, Fit.NEVER_CUT, 0, value);
    }
  }

  private static <T> TextTable table(List<T> items, List<Part<T>> parts) {
    TextTable table = new TextTable(parts.stream().map(Part::column).toArray(Column[]::new));
    items.forEach(
        item -> table.row(parts.stream().map(part -> part.cell.apply(item)).toArray(Cell[]::new)));
    return table;
  }

  /** A port, and the service that it belongs to. */
  private record Line(NodeService service, ServicePort port) {
    static List<Line> of(Excerpt excerpt) {
      return excerpt.services().stream()
          .flatMap(service -> service.ports().stream().map(port -> new Line(service, port)))
          .toList();
    }

    Object address() {
      return port.clusterIp().address();
    }
  }

  private static List<Part<Line>> services() {
    return List.of(
        Part.of("SERVICE", Fit.CUT_MIDDLE, 16, line -> line.port.name()),
        Part.of("CLUSTER IP", Fit.CUT_MIDDLE, 15, Line::address),
        Part.whole("PORT", line -> PortText.port(line.port)),
        Part.of("ENDPOINTS", Fit.CUT_END, 9, line -> PortText.count(line.port)),
        new Part<>(
            new Column("NOTE", Fit.CUT_END, 8),
            line -> new Cell(PortText.note(line.port), Paint.RED)));
  }

  private static List<Part<Line>> wideServices() {
    return List.of(
        Part.whole("SERVICE", line -> line.port.name()),
        Part.whole("TYPE", line -> line.service.type()),
        Part.whole("CLUSTER IP", Line::address),
        Part.whole("PORT", line -> PortText.port(line.port)),
        Part.whole("EXTERNAL IPS", line -> list(line.port.ips(Kind.EXTERNAL_IP))),
        Part.whole("LOAD BALANCER IPS", line -> list(line.port.ips(Kind.LOAD_BALANCER_IP))),
        Part.whole("SOURCE RANGES", line -> list(line.port.sourceRanges())),
        Part.whole("INTERNAL", line -> line.port.route(Traffic.INTERNAL).pool()),
        Part.whole("EXTERNAL", line -> PortText.externalPool(line.port)),
        Part.whole("AFFINITY", line -> affinity(line.port)),
        Part.whole("BALANCING", line -> balancing(line.port)),
        Part.whole("ENDPOINTS", line -> PortText.count(line.port)),
        new Part<>(
            new Column("NOTE", Fit.NEVER_CUT, 0),
            line -> new Cell(dashed(PortText.note(line.port)), Paint.RED)),
        Part.whole("CHOSEN", line -> chosen(line.port)));
  }

  private static String affinity(ServicePort port) {
    return port.affinitySeconds() == 0 ? "-" : port.affinitySeconds() + "s";
  }

  private static String balancing(ServicePort port) {
    return port.balancing().kind() + (port.balancing().isWeighted() ? " with weights" : "");
  }

  private static List<Part<Use>> endpoints() {
    return List.of(
        Part.of("SERVICE", Fit.CUT_MIDDLE, 20, use -> use.line.port.name()),
        Part.of("ENDPOINT", Fit.CUT_MIDDLE, 21, Use::endpoint),
        Part.of("NODE", Fit.CUT_MIDDLE, 12, use -> dashed(use.endpoint.node())),
        new Part<>(new Column("USED FOR", Fit.NEVER_CUT, 0), Use::pools));
  }

  private static List<Part<Use>> wideEndpoints() {
    return List.of(
        Part.whole("SERVICE", use -> use.line.port.name()),
        Part.whole("CLUSTER IP", use -> use.line.address()),
        Part.whole("PORT", use -> PortText.port(use.line.port)),
        Part.whole("ENDPOINT", Use::endpoint),
        Part.whole("NODE", use -> dashed(use.endpoint.node())),
        new Part<>(new Column("USED FOR", Fit.NEVER_CUT, 0), Use::pools));
  }

  /** An endpoint of a service port, and the pools that it is in. */
  private record Use(Line line, Endpoint endpoint, List<String> uses) implements Tree.Shown {
    private record Row(
        NamespacedName service,
        String servicePort,
        Protocol protocol,
        @Tree.Inline Endpoint endpoint,
        List<String> usedFor) {}

    Cell pools() {
      return uses.isEmpty() ? new Cell("none", Paint.FAINT) : Cell.of(String.join(",", uses));
    }

    @Override
    public Object shown() {
      ServicePortName port = line.port.name();
      return new Row(line.service.name(), port.port(), port.protocol(), endpoint, uses);
    }
  }

  private static List<Use> uses(Excerpt excerpt, ListingStyle style) {
    List<Use> uses = new ArrayList<>();
    for (Line line : Line.of(excerpt)) {
      Set<Endpoint> cluster = new HashSet<>(line.port.cluster());
      Set<Endpoint> local = new HashSet<>(line.port.local());
      SortedSet<Endpoint> all = new TreeSet<>(line.port.serving());
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
        uses.add(new Use(line, endpoint, pools));
      }
    }
    return style.sorted(uses, Tree::of);
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
}
