package dev.portolan.inspection.audit;

import dev.portolan.audit.AuditDifference;
import dev.portolan.audit.AuditDifference.Basis;
import dev.portolan.audit.AuditDifference.Kind;
import dev.portolan.audit.AuditResult;
import dev.portolan.core.net.Ip;
import dev.portolan.core.text.Counted;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.TextTable.Cell;
import dev.portolan.terminal.TextTable.Column;
import dev.portolan.terminal.TextTable.Fit;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An audit for a person: the differences, and what to do about them. */
final class AuditText {
  private static final int MOST_SHOWN = 40;

  private final Terminal terminal;
  private final boolean all;
  private final Predicate<AuditDifference> contested;

  /**
   * Prints to {@code terminal}.
   *
   * @param all whether all differences are printed, or the first ones
   * @param contested which of them follow from objects that contradict each other
   */
  AuditText(Terminal terminal, boolean all, Predicate<AuditDifference> contested) {
    this.terminal = terminal;
    this.all = all;
    this.contested = contested;
  }

  /**
   * Prints the audit, which lasted {@code took}; {@code objects} is whether the decision was made
   * here.
   */
  void print(AuditedSides.Compared compared, boolean objects, Duration took) {
    AuditResult result = compared.result();
    List<AuditDifference> shown =
        result.differences().stream().limit(all ? Integer.MAX_VALUE : MOST_SHOWN).toList();
    if (!shown.isEmpty()) {
      TextTable table =
          new TextTable(
              new Column("KIND", Fit.NEVER_CUT, 0), new Column("DIFFERENCE", Fit.WRAP, 40));
      shown.forEach(
          one -> table.row(new Cell(one.kind().toString(), paint(one)), Cell.of(text(one))));
      terminal.print(table.withTitles(terminal.tableWidth(), terminal));
      int more = result.differences().size() - shown.size();
      if (more > 0) {
        terminal.print("... and " + number(more) + " more; -o wide or -o json prints all");
      }
      terminal.print("");
    }
    TextTable sentences = new TextTable(new Column("", Fit.WRAP, 40));
    sentences.row(
        "node "
            + Text.printable(compared.node().name())
            + ", "
            + result.rules()
            + String.format(Locale.ROOT, " (%.1f s)", took.toMillis() / 1000.0));
    sentences.row(summary(result, objects));
    if (!result.lacking().isEmpty()) {
      sentences.row(lacking(compared));
    }
    if (!compared.unseen().isEmpty()) {
      sentences.row(
          "Packets meet other rules too, which were not followed and may drop them: "
              + Text.printable(String.join("; ", compared.unseen()))
              + ".");
    }
    remedies(compared).forEach(sentences::row);
    terminal.print(sentences.withoutTitles(terminal.tableWidth(), terminal));
  }

  private static String text(AuditDifference one) {
    return Text.printable(
        (one.service().isEmpty() || one.place().contains(one.service()) ? "" : one.service() + " ")
            + one.place()
            + ": "
            + one.text());
  }

  private static Paint paint(AuditDifference one) {
    return one.basis() == Basis.RULES ? Paint.YELLOW : Paint.RED;
  }

  /** {@code objects = decision = kernel: 72 services, 1,204 packets, 0 differences}. */
  private static String summary(AuditResult result, boolean objects) {
    boolean decision = result.differences().stream().anyMatch(it -> it.basis() == Basis.DECISION);
    boolean kernel = result.differences().stream().anyMatch(it -> it.basis() != Basis.DECISION);
    return (objects ? "objects " + (decision ? "!= " : "= ") : "")
        + "decision "
        + (kernel ? "!= " : "= ")
        + "kernel: "
        + count(result.services(), "service")
        + ", "
        + count(result.packets(), "packet")
        + ", "
        + count(result.differences().size(), "difference")
        + kinds(result);
  }

  /** Where no nodePort was looked for, and why. */
  private static String lacking(AuditedSides.Compared compared) {
    List<Ip> lacking = compared.result().lacking();
    String addresses = lacking.stream().map(Ip::toString).collect(Collectors.joining(", "));
    return lacking.size() == compared.node().addresses().size()
        ? "No nodePorts were compared: this host has no address of the node ("
            + addresses
            + "); is it the node that is meant?"
        : "No nodePorts were compared on "
            + addresses
            + ": the node is known by it, and no interface of this host has it, as where a cloud"
            + " translates addresses.";
  }

  private static String kinds(AuditResult result) {
    if (result.isClean()) {
      return "";
    }
    Map<Kind, Long> counts =
        result.differences().stream()
            .collect(
                Collectors.groupingBy(AuditDifference::kind, TreeMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .map(entry -> number(entry.getValue()) + " " + entry.getKey())
        .collect(Collectors.joining(", ", " (", ")"));
  }

  /** What to do, one sentence for each kind of cause. */
  private List<String> remedies(AuditedSides.Compared compared) {
    List<AuditDifference> all = compared.result().differences();
    boolean foreign = all.stream().anyMatch(it -> it.kind() == Kind.FOREIGN);
    boolean unreadable = all.stream().anyMatch(it -> it.kind() == Kind.UNREADABLE);
    boolean decided = all.stream().anyMatch(it -> it.basis() == Basis.DECISION);
    List<AuditDifference> own =
        all.stream()
            .filter(it ->
                it.basis() != Basis.DECISION
                    && it.kind() != Kind.FOREIGN
                    && it.kind() != Kind.UNREADABLE)
            .toList();
    boolean chance = !compared.ours() && own.stream().anyMatch(contested);
    boolean stale = compared.ours() ? !own.isEmpty() : !own.stream().allMatch(contested);
    return Stream.of(
            stale
                ? compared.ours()
                    ? "Portolan's daemon repairs its rules within minutes; if this stays, see its"
                        + " log, and 'portolan doctor'."
                    : "kube-proxy does not look at its rules until it is restarted or a service"
                        + " changes: restart it on this node. If the settings differ, give this"
                        + " command its configuration with --config."
                : "",
            chance
                ? "Where objects contradict each other, kube-proxy takes one of two by chance, and may"
                    + " take the other after a restart: mend those that 'portolan analyze' names with"
                    + " P0201, P0108 and the like."
                : "",
            foreign
                ? "Rules of other programs are not repaired: change them where they come from."
                : "",
            unreadable
                ? "What becomes of packets at such a rule cannot be said; look at it yourself."
                : "",
            decided
                ? "The daemon may lag behind the API server, or have other settings: see"
                    + " 'portolan nodes' and its log."
                : "")
        .filter(line -> !line.isEmpty())
        .toList();
  }

  private static String count(long count, String noun) {
    return Counted.of(count, noun).replaceFirst("^[0-9]+", number(count));
  }

  private static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
