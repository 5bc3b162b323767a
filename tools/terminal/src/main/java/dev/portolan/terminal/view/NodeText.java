package dev.portolan.terminal.view;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.TextTable.Cell;
import dev.portolan.terminal.TextTable.Column;
import dev.portolan.terminal.TextTable.Fit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What is known of a node, for a person. */
final class NodeText {
  private NodeText() {}

  private static String doubt(NodeFacts facts) {
    if (facts.known()) {
      return "";
    }
    return facts.isMissing()
        ? " (no such Node in the cluster)"
        : " (the server does not say more of Nodes)";
  }

  /** One line per fact. */
  static List<String> lines(Excerpt excerpt, Terminal terminal) {
    NodeFacts facts = excerpt.facts();
    TextTable table = new TextTable(new Column("", Fit.NEVER_CUT, 0), new Column("", Fit.WRAP, 40));
    row(table, "node", facts.name() + doubt(facts));
    row(table, "revision", Long.toString(excerpt.revision()));
    row(table, "zone", facts.zone());
    row(table, "serves", list(facts.families().stream().sorted().toList()));
    row(table, "primary addresses", list(facts.primaryIps()));
    row(table, "all addresses", list(facts.addresses()));
    row(table, "pod CIDRs", list(facts.podCidrs()));
    row(table, "pods recognized by", perFamily(facts::detector));
    row(table, "nodePorts served on", perFamily(facts::nodePorts));
    row(table, "service CIDRs", list(facts.serviceCidrs()));
    row(table, "masquerade all", facts.masqueradeAll() ? "yes" : "no");
    row(table, "takes traffic", facts.eligible() ? "yes" : "no, load balancers should avoid it");
    row(table, "services", counts(excerpt));
    return table.withoutTitles(terminal.tableWidth(), terminal);
  }

  private static void row(TextTable table, String name, String value) {
    table.row(new Cell(name, Paint.BOLD), Cell.of(value.isEmpty() ? "-" : value));
  }

  private static String perFamily(Function<IpFamily, Object> fact) {
    List<String> texts = new ArrayList<>();
    for (IpFamily family : IpFamily.values()) {
      texts.add(family + " " + fact.apply(family));
    }
    return String.join(", ", texts);
  }

  private static String counts(Excerpt excerpt) {
    int ports = 0;
    int unserved = 0;
    for (NodeService service : excerpt.services()) {
      for (ServicePort port : service.ports()) {
        ports++;
        unserved += PortText.note(port).isEmpty() ? 0 : 1;
      }
    }
    return excerpt.services().size()
        + ", with "
        + ports
        + " ports"
        + (unserved == 0 ? "" : ", " + unserved + " of them not always forwarded");
  }

  private static String list(List<?> values) {
    return String.join(", ", values.stream().map(Object::toString).toList());
  }
}
