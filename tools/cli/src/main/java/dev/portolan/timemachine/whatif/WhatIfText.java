package dev.portolan.timemachine.whatif;

import dev.portolan.compare.events.EventNote;
import dev.portolan.compare.events.Impact;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.TextTable.Cell;
import dev.portolan.terminal.TextTable.Column;
import dev.portolan.terminal.TextTable.Fit;
import dev.portolan.timemachine.diff.NodesPhrase;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** What an event would do, for people: what fails first, then what changes, then what does not. */
final class WhatIfText {
  private static final String INDENT = "  ";
  private static final int MOST_ENDPOINTS = 8;
  private static final int LEAST_NAME = 24;

  private final Terminal terminal;

  WhatIfText(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Prints everything. */
  void print(WhatIfAnswer answer) {
    answer.imagined().notes().forEach(this::print);
    terminal.print("");
    Impact impact = answer.impact();
    reversals("would be refused or dropped", Paint.RED, impact.broken());
    reversals("would be served again", Paint.GREEN, impact.mended());
    loads(impact.loads());
    leaving(impact.leavingZone());
    otherwise(impact);
    terminal.print(
        "unchanged: "
            + NodesPhrase.number(impact.unchanged())
            + (impact.unchanged() == 1 ? " service" : " services")
            + ", as seen from "
            + nodes(answer));
    if (answer.imagined().podsGo()) {
      terminal.print("Pods that are scheduled elsewhere would serve again.");
    }
  }

  private static String nodes(WhatIfAnswer answer) {
    int looked = answer.comparison().nodes().size();
    boolean some = !answer.imagined().nodesGone().isEmpty();
    String staying = some ? " that " + (looked == 1 ? "stays" : "stay") : "";
    if (looked == 1) {
      String name = answer.comparison().nodes().getFirst();
      return name.isEmpty()
          ? "any node"
          : Text.printable(name) + (some ? ", the only node" + staying : "");
    }
    return NodesPhrase.number(looked) + " nodes" + staying;
  }

  private void print(EventNote note) {
    terminal.print(
        terminal.paint(Paint.BOLD, Text.printable(note.event().toString()))
            + ": "
            + Text.printable(note.effect()));
    note.endpoints().stream()
        .limit(MOST_ENDPOINTS)
        .forEach(endpoint -> terminal.print(INDENT + Text.printable(endpoint)));
    int more = note.endpoints().size() - MOST_ENDPOINTS;
    if (more > 0) {
      terminal.print(INDENT + NodesPhrase.number(more) + " more");
    }
  }

  private void reversals(String title, Paint paint, List<Impact.Reversal> reversals) {
    if (reversals.isEmpty()) {
      return;
    }
    TextTable table =
        new TextTable(
            name(),
            new Column("TRAFFIC", Fit.WRAP, 13),
            new Column("WOULD BE", Fit.NEVER_CUT, 0),
            new Column("ON", Fit.WRAP, 12));
    for (Impact.Reversal reversal : reversals) {
      table.row(
          Cell.of(name(reversal.port(), reversal.family())),
          Cell.of(traffic(reversal.traffic())),
          new Cell(word(reversal.after()), paint),
          Cell.of(NodesPhrase.of(reversal.nodes())));
    }
    section(title, paint, table);
  }

  private static String traffic(List<Traffic> kinds) {
    return kinds.size() == Traffic.values().length
        ? "all"
        : String.join(", ", kinds.stream().map(NodesPhrase::word).toList());
  }

  private static String word(Verdict verdict) {
    return switch (verdict) {
      case FORWARD -> "forwarded";
      case REJECT -> "rejected";
      case DROP -> "dropped";
      case NONE -> "not served";
    };
  }

  private void loads(List<Impact.Load> loads) {
    if (loads.isEmpty()) {
      return;
    }
    TextTable table =
        new TextTable(
            name(),
            new Column("ENDPOINTS", Fit.NEVER_CUT, 0),
            new Column("LOAD PER ENDPOINT", Fit.NEVER_CUT, 0));
    for (Impact.Load load : loads) {
      table.row(
          Cell.of(name(load.port(), load.family())),
          Cell.of(load.before() + " → " + load.after()),
          new Cell(
              String.format(Locale.ROOT, "x%.1f", load.factor()),
              load.factor() > 1 ? Paint.YELLOW : Paint.NONE));
    }
    section("would be served by more or fewer", Paint.BOLD, table);
  }

  private void leaving(List<Impact.LeavingZone> leaving) {
    if (leaving.isEmpty()) {
      return;
    }
    TextTable table =
        new TextTable(
            name(),
            new Column("ZONE", Fit.NEVER_CUT, 0),
            new Column("ENDPOINTS THERE", Fit.NEVER_CUT, 0),
            new Column("FROM", Fit.WRAP, 12));
    for (Impact.LeavingZone one : leaving) {
      table.row(
          name(one.port(), one.family()),
          one.zone(),
          one.before() + " → " + one.after(),
          NodesPhrase.of(one.nodes()));
    }
    section("would leave their zone", Paint.BOLD, table);
  }

  private void otherwise(Impact impact) {
    if (impact.otherwise().isEmpty()) {
      return;
    }
    terminal.print(terminal.paint(Paint.BOLD, "would change in another way"));
    String names = Text.printable(String.join(", ", impact.otherwise()));
    Text.wrap(names, terminal.width() - INDENT.length())
        .forEach(line -> terminal.print(INDENT + line));
    terminal.print("");
  }

  private void section(String title, Paint paint, TextTable table) {
    terminal.print(terminal.paint(paint, title));
    OptionalInt whole = terminal.tableWidth();
    OptionalInt width =
        whole.isPresent() ? OptionalInt.of(whole.getAsInt() - INDENT.length()) : whole;
    table.withTitles(width, terminal).forEach(line -> terminal.print(INDENT + line));
    terminal.print("");
  }

  private static Column name() {
    return new Column("SERVICE", Fit.CUT_MIDDLE, LEAST_NAME);
  }

  private static String name(ServicePortName port, IpFamily family) {
    return port + (family == IpFamily.IPV6 ? " IPv6" : "");
  }
}
