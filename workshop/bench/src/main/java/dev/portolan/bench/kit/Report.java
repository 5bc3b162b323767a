package dev.portolan.bench.kit;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Collects measurements and prints them as a table, beside their targets. */
public final class Report {
  private static final String BETWEEN = "\t";

  private final String name;

  private final double load = load();
  private final List<Row> rows = new ArrayList<>();

  public Report(String name) {
    this.name = name;
    progress(name);
  }

  /** A figure; it has no target if the sign is empty, and is not a ratio of another where NaN. */
  private record Row(
      String what, double value, String unit, double ratio, String sign, double target) {
    static Row parse(String line) {
      String[] words = line.split(BETWEEN, -1);
      return new Row(
          words[0],
          Double.parseDouble(words[1]),
          words[2],
          Double.parseDouble(words[3]),
          words[4],
          Double.parseDouble(words[5]));
    }

    /** What {@link #parse} reads. */
    String line() {
      return String.join(BETWEEN, what, "" + value, unit, "" + ratio, sign, "" + target);
    }

    /** The same row of several runs. */
    static Row median(List<Row> runs) {
      Row first = runs.getFirst();
      return new Row(
          first.what,
          median(runs, Row::value),
          first.unit,
          median(runs, Row::ratio),
          first.sign,
          median(runs, Row::target));
    }

    private static double median(List<Row> runs, ToDoubleFunction<Row> figure) {
      return Samples.median(runs.stream().mapToDouble(figure).boxed().toList());
    }

    List<String> cells() {
      String result = number(value) + " " + unit;
      if (!Double.isNaN(ratio)) {
        result += ", %.2f x".formatted(ratio);
      }
      return sign.isEmpty()
          ? List.of(what, result, "", "")
          : List.of(what, result, sign + number(target) + " " + unit, missed());
    }

    private String missed() {
      double times = target == 0 ? value : Math.max(value / target, target / value);
      return (sign.startsWith("<") ? value <= target : value >= target)
          ? "ok"
          : times < 2
              ? "missed by %.0f %%".formatted((times - 1) * 100)
              : "missed %.1f times".formatted(times);
    }
  }

  /** How many processes wait for a core, averaged over a minute. */
  public static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  /** Prints progress for a waiting user. */
  public void progress(String what) {
    System.err.println("bench: " + what + " …");
  }

  /** A result that must not exceed a target. */
  public void atMost(String what, double value, double target, String unit) {
    rows.add(new Row(what, value, unit, Double.NaN, "<= ", target));
  }

  /** A result that must reach a target. */
  public void atLeast(String what, double value, double target, String unit) {
    rows.add(new Row(what, value, unit, Double.NaN, ">= ", target));
  }

  /** A result without a target. */
  public void value(String what, double value, String unit) {
    value(what, value, unit, Double.NaN);
  }

  /** The same, and how often the result of another it is. */
  public void value(String what, double value, String unit, double ratio) {
    rows.add(new Row(what, value, unit, ratio, "", 0));
  }

  /** Adds the medians of what several runs printed as rows alone. */
  public void addMedians(List<List<String>> runs) {
    for (int i = 0; i < runs.getFirst().size(); i++) {
      int row = i;
      rows.add(Row.median(runs.stream().map(lines -> Row.parse(lines.get(row))).toList()));
    }
  }

  /** Prints the table, or the rows alone for {@link #addMedians}. */
  public void print(boolean rowsAlone) {
    if (rowsAlone) {
      rows.forEach(row -> System.out.println(row.line()));
      return;
    }
    List<List<String>> table = new ArrayList<>();
    table.add(List.of("measured", "result", "target", ""));
    rows.forEach(row -> table.add(row.cells()));
    int[] widths = new int[3];
    for (List<String> cells : table) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], cells.get(i).length());
      }
    }
    String line = "  %%-%ds  %%%ds  %%%ds  %%s".formatted(widths[0], widths[1], widths[2]);
    System.out.println();
    System.out.println(
        "%s, %d cores, Java %d, load of this machine before %.2f"
            .formatted(
                name,
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature(),
                load));
    table.forEach(cells -> System.out.println(line.formatted(cells.toArray()).stripTrailing()));
  }

  private static String number(double value) {
    return (value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%,.0f").formatted(value);
  }
}
