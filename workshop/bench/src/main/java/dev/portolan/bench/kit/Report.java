package dev.portolan.bench.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Collects measurements and prints them as a table, beside their targets. */
public final class Report {
  private final String name;
  private final List<String[]> rows = new ArrayList<>();

  public Report(String name) {
    this.name = name;
    rows.add(new String[] {"measured", "result", "target", ""});
    progress(name);
  }

  /** Prints progress for a waiting user. */
  public void progress(String what) {
    System.err.println("bench: " + what + " …");
  }

  /** A result that must not exceed a target. */
  public void atMost(String what, double value, double target, String unit) {
    row(what, value, target, unit, "<= ", value <= target);
  }

  /** A result that must reach a target. */
  public void atLeast(String what, double value, double target, String unit) {
    row(what, value, target, unit, ">= ", value >= target);
  }

  /** A result without a target. */
  public void value(String what, double value, String unit) {
    rows.add(new String[] {what, number(value) + " " + unit, "", ""});
  }

  /** The same, and how often the result of another it is. */
  public void value(String what, double value, String unit, double ratio) {
    value(what, value, String.format(Locale.ROOT, "%s, %.2f x", unit, ratio));
  }

  private void row(
      String what, double value, double target, String unit, String sign, boolean reached) {
    double ratio = target == 0 ? value : Math.max(value / target, target / value);
    String missed =
        ratio < 2
            ? String.format(Locale.ROOT, "missed by %.0f %%", (ratio - 1) * 100)
            : String.format(Locale.ROOT, "missed %.1f times", ratio);
    rows.add(
        new String[] {
          what,
          number(value) + " " + unit,
          sign + number(target) + " " + unit,
          reached ? "ok" : missed
        });
  }

  public void print() {
    int[] widths = new int[4];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    System.out.println();
    System.out.println(
        name
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " cores, Java "
            + Runtime.version().feature());
    for (String[] row : rows) {
      System.out.println(
          String.format(
                  Locale.ROOT,
                  "  %-" + widths[0] + "s  %" + widths[1] + "s  %" + widths[2] + "s  %s",
                  (Object[]) row)
              .stripTrailing());
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%,.0f", value);
  }
}
