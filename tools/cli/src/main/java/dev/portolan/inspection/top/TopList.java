package dev.portolan.inspection.top;

import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.text.Tree;
import dev.portolan.status.traffic.PortTraffic;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.TextTable.Cell;
import dev.portolan.terminal.TextTable.Column;
import dev.portolan.terminal.TextTable.Fit;
import dev.portolan.terminal.query.ResultTree;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Service ports and how fast their counts grew, in the order in which they are printed.
 *
 * @param kinds what is counted at all
 * @param over the time in which the counts grew
 * @param time when they were read
 */
record TopList(List<Row> rows, Set<Kind> kinds, Duration over, Instant time) {
  /** By what a list may be sorted. */
  enum Order {
    RATE,
    TOTAL,
    REFUSED,
    DROPPED,
    BYTES,
    NAME
  }

  /** One service port: what was counted in all, and in each second of the time. */
  @Tree.Fields("port totals perSecond")
  record Row(@Tree.Inline ServicePortName port, Map<Kind, Long> totals, Map<Kind, Double> rates) {
    Map<Kind, Double> perSecond() {
      Map<Kind, Double> rounded = new LinkedHashMap<>(rates);
      rounded.replaceAll((_, rate) -> Math.round(rate * 1000) / 1000.0);
      return rounded;
    }

    double rate(Kind kind) {
      return rates.getOrDefault(kind, 0.0);
    }

    boolean isUsed() {
      return totals.values().stream().anyMatch(total -> total > 0);
    }

    long total(Kind kind) {
      return totals.getOrDefault(kind, 0L);
    }
  }

  /** What grew from one reading to the next. */
  static TopList between(
      List<PortTraffic> before, List<PortTraffic> after, Duration over, Instant time, Order order) {
    Map<ServicePortName, PortTraffic> old = new LinkedHashMap<>();
    before.forEach(each -> old.put(each.port(), each));
    double seconds = Math.max(over.toNanos() / 1e9, 1e-3);
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    List<Row> rows = new ArrayList<>();
    for (PortTraffic now : after) {
      PortTraffic then = old.get(now.port());
      Map<Kind, Double> rates = new EnumMap<>(Kind.class);
      now.totals()
          .forEach((kind, total) -> {
            kinds.add(kind);
            rates.put(kind, (total - (then == null ? 0 : then.of(kind))) / seconds);
          });
      rows.add(new Row(now.port(), now.totals(), rates));
    }
    rows.sort(comparator(order));
    return new TopList(rows, kinds, over, time);
  }

  private static Comparator<Row> comparator(Order order) {
    Comparator<Row> byName = Comparator.comparing(Row::port);
    Comparator<Row> byTotal =
        Comparator.<Row>comparingLong(row -> row.total(Kind.CONNECTIONS)).reversed();
    return switch (order) {
      case NAME -> byName;
      case TOTAL -> byTotal.thenComparing(byName);
      case RATE -> falling(Kind.CONNECTIONS).thenComparing(byTotal).thenComparing(byName);
      case REFUSED -> falling(Kind.REFUSED).thenComparing(byTotal).thenComparing(byName);
      case DROPPED -> falling(Kind.DROPPED).thenComparing(byTotal).thenComparing(byName);
      case BYTES ->
          Comparator.<Row>comparingDouble(row -> row.rate(Kind.BYTES_IN) + row.rate(Kind.BYTES_OUT))
              .reversed()
              .thenComparing(byTotal)
              .thenComparing(byName);
    };
  }

  private static Comparator<Row> falling(Kind kind) {
    return Comparator.<Row>comparingDouble(row -> row.rate(kind)).reversed();
  }

  /** The first {@code most} rows with traffic as a table; 0 for all of them. */
  List<String> lines(int most, Terminal terminal) {
    List<Kind> shown =
        Arrays.stream(Kind.values())
            .filter(kind -> !isOfPackets(kind))
            .filter(kind -> kinds.contains(kind) || kind.compareTo(Kind.PACKETS_IN) < 0)
            .toList();
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("SERVICE", Fit.CUT_MIDDLE, 20));
    shown.forEach(kind -> columns.add(new Column(title(kind), Fit.ALIGN_RIGHT, 0)));
    columns.add(new Column("CONNECTIONS", Fit.ALIGN_RIGHT, 0));
    TextTable table = new TextTable(columns.toArray(Column[]::new));
    rows.stream()
        .filter(Row::isUsed)
        .limit(most == 0 ? rows.size() : most)
        .forEach(row -> {
          List<Cell> cells = new ArrayList<>();
          cells.add(Cell.of(row.port.toString()));
          shown.forEach(kind -> cells.add(cell(kind, row.rate(kind))));
          cells.add(Cell.of(String.format(Locale.ROOT, "%,d", row.total(Kind.CONNECTIONS))));
          table.row(cells.toArray(Cell[]::new));
        });
    return table.withTitles(terminal.tableWidth(), terminal);
  }

  /** They are for programs alone. */
  private static boolean isOfPackets(Kind kind) {
    return kind == Kind.PACKETS_IN || kind == Kind.PACKETS_OUT;
  }

  private static String title(Kind kind) {
    return switch (kind) {
      case CONNECTIONS -> "CONN/S";
      case REFUSED -> "REFUSED/S";
      case DROPPED -> "DROPPED/S";
      case PACKETS_IN -> "IN P/S";
      case PACKETS_OUT -> "OUT P/S";
      case BYTES_IN -> "IN B/S";
      case BYTES_OUT -> "OUT B/S";
    };
  }

  private static Cell cell(Kind kind, double rate) {
    boolean bad = (kind == Kind.REFUSED || kind == Kind.DROPPED) && rate > 0;
    String format = kind.compareTo(Kind.PACKETS_IN) < 0 ? "%,.1f" : "%,.0f";
    return new Cell(String.format(Locale.ROOT, format, rate), bad ? Paint.RED : Paint.NONE);
  }

  private record Facts(Instant time, double seconds) {}

  /** The same for programs. */
  ResultTree tree(int most) {
    return ResultTree.list(
        "ServiceTrafficList",
        new Facts(time, over.toMillis() / 1e3),
        "services",
        rows.stream().limit(most == 0 ? rows.size() : most).toList(),
        row -> "service/" + row.port);
  }
}
