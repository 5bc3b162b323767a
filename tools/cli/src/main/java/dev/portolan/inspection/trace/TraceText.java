package dev.portolan.inspection.trace;

import dev.portolan.audit.EndpointKey;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Share;
import dev.portolan.core.node.Verdict;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.TextTable.Cell;
import dev.portolan.terminal.TextTable.Column;
import dev.portolan.terminal.TextTable.Fit;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.WalkResult.Way;
import dev.portolan.walk.WalkStep;
import dev.portolan.walk.nft.live.LivePacket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Traced connections, for a person. */
final class TraceText {
  private static final String INDENT = "  ";

  /** How many endpoints a person reads; programs get all. */
  private static final int MOST = 50;

  private final Terminal terminal;

  TraceText(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Prints one connection. */
  void print(TracedConnection traced) {
    Explanation explanation = traced.explanation();
    String service = explanation.service().map(name -> name + ", ").orElse("");
    terminal.print(
        terminal.paint(Paint.BOLD, Text.printable(explanation.subject()))
            + " ("
            + Text.printable(service + "node " + explanation.node())
            + ")");
    terminal.print(INDENT + "from " + Text.printable(who(explanation, traced.packet())));
    terminal.print(INDENT + "rules: " + Text.printable(traced.rules()));
    terminal.print("");
    print("The rules that it meets:", traced.walked().steps());
    for (LivePacket packet : traced.live()) {
      terminal.print("");
      print(
          "A packet from "
              + packet.source().withPort(packet.sourcePort())
              + " met"
              + packet.endpoint().map(to -> ", and went to " + to).orElse("")
              + ":",
          packet.steps());
    }
    terminal.print("");
    terminal.print("What explain says:");
    for (Explanation.Step step : explanation.steps()) {
      wrap(step.text(), INDENT);
    }
    terminal.print("");
    terminal.print(compared(traced));
    terminal.print("");
    if (traced.differences().isEmpty()) {
      terminal.print(terminal.paint(Paint.GREEN, "agree") + ": the rules do what explain says");
    } else {
      for (String difference : traced.differences()) {
        terminal.print(terminal.paint(Paint.RED, "disagree") + ": " + Text.printable(difference));
      }
    }
  }

  /** The client with its address, and the interface that its packets come through. */
  private static String who(Explanation explanation, FirstPacket packet) {
    String address = packet.source().toString();
    String client = explanation.client();
    return (client.equals(address) ? address : client + ", " + address)
        + packet
            .arrivesThrough()
            .filter(link -> !link.isEmpty())
            .map(link -> ", through " + link)
            .orElse("");
  }

  private void print(String title, List<WalkStep> steps) {
    terminal.print(title);
    List<WalkStep> told = told(steps);
    if (told.isEmpty()) {
      terminal.print(INDENT + "none that does anything");
    }
    for (WalkStep step : told) {
      terminal.print(
          INDENT
              + Text.printable(step.place())
              + ": "
              + terminal.paint(Paint.BOLD, Text.printable(step.effect())));
      if (!step.rule().equals(step.effect())) {
        wrap(step.rule(), INDENT + INDENT + INDENT);
      }
    }
  }

  private void wrap(String text, String indent) {
    for (String line : Text.wrap(Text.printable(text), terminal.width() - indent.length())) {
      terminal.print(terminal.paint(Paint.FAINT, indent + line));
    }
  }

  /** The steps without jumps to chains that did nothing, and without rules that only matched. */
  private static List<WalkStep> told(List<WalkStep> steps) {
    List<WalkStep> told = new ArrayList<>();
    for (WalkStep step : steps.reversed()) {
      String chain = step.effect().startsWith("jump ") ? step.effect().substring(5) : "";
      boolean idle =
          !chain.isEmpty()
              && (told.isEmpty() || !told.getLast().place().contains(" " + chain + " "));
      if (!idle && !step.effect().equals("continue")) {
        told.add(step);
      }
    }
    return told.reversed();
  }

  private List<String> compared(TracedConnection traced) {
    TextTable table =
        new TextTable(
            new Column("", Fit.CUT_MIDDLE, 20),
            new Column("EXPLAIN", Fit.NEVER_CUT, 0),
            new Column("RULES", Fit.NEVER_CUT, 0));
    Explanation explanation = traced.explanation();
    Verdict said = explanation.verdict();
    Verdict done = traced.walked().verdict();
    table.row(
        Cell.of("verdict"),
        new Cell(said.toString(), Paint.of(said)),
        new Cell(done.toString(), Paint.of(done)));
    List<Share> shares = explanation.endpoints();
    Map<EndpointKey, List<Way>> led = EndpointKey.ways(traced.walked());
    for (Share share : shares.subList(0, Math.min(MOST, shares.size()))) {
      List<Way> ways = led.getOrDefault(EndpointKey.of(share.endpoint()), List.of());
      table.row(
          share.endpoint().address().withPort(share.endpoint().port()),
          cell(share.share(), share.masquerade()),
          ways.isEmpty()
              ? "missing"
              : cell(ways.stream().mapToDouble(Way::share).sum(), ways.getFirst().masquerade()));
    }
    for (Way way : RuleAgreement.surplus(explanation, traced.walked())) {
      table.row(way.address().withPort(way.port()), "-", cell(way.share(), way.masquerade()));
    }
    List<String> lines = new ArrayList<>();
    table.withTitles(terminal.tableWidth(), terminal).forEach(line -> lines.add(INDENT + line));
    if (shares.size() > MOST) {
      lines.add(INDENT + "… and " + (shares.size() - MOST) + " more endpoints");
    }
    return lines;
  }

  private static String cell(double share, boolean masquerade) {
    return RuleAgreement.percent(share) + (masquerade ? " masqueraded" : "");
  }
}
