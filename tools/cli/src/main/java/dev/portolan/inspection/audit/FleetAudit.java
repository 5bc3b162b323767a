package dev.portolan.inspection.audit;

import dev.portolan.api.v1.NodeStatus;
import dev.portolan.api.v1.NodesReply;
import dev.portolan.client.Connection;
import dev.portolan.client.ConnectionException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.text.Counted;
import dev.portolan.decision.view.ServedClient;
import dev.portolan.options.ApiOptions;
import dev.portolan.options.SourceOptions;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.TextTable.Cell;
import dev.portolan.terminal.TextTable.Column;
import dev.portolan.terminal.TextTable.Fit;
import dev.portolan.terminal.query.Output;
import dev.portolan.terminal.query.ResultTree;
import dev.portolan.wiring.Visitor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the daemons of all nodes found in their own last audits, as a brain knows it. */
record FleetAudit(ApiOptions api, SourceOptions source, Terminal terminal) {
  /** Prints it; returns the exit status. */
  int print(Output form, Remarks remarks) {
    if (source.isGiven()) {
      throw CommandFailure.usage(
          "--all-nodes asks a brain, and --from names a source; use --api instead");
    }
    List<NodeStatus> nodes = ask(remarks);
    if (form.isTree()) {
      form.print(
          ResultTree.list(
              "NodeAuditList",
              Map.of(),
              "nodes",
              nodes.stream().map(FleetAudit::row).toList(),
              row -> "node/" + row.node),
          true,
          terminal);
    } else {
      print(nodes);
    }
    return nodes.stream().allMatch(one -> one.getAuditDifferences() == 0)
        ? 0
        : CommandFailure.FAILED;
  }

  private List<NodeStatus> ask(Remarks remarks) {
    List<NodeStatus> nodes = new ArrayList<>();
    List<Connection> servers = api.connectEach(source.tls(), remarks);
    try {
      for (Connection server : servers) {
        NodesReply reply = server.nodes();
        reply.getNodesList().stream()
            .filter(one -> !one.getNode().isEmpty() && !Visitor.is(one.getClient()))
            .forEach(nodes::add);
      }
    } catch (ConnectionException e) {
      throw CommandFailure.input(ErrorCode.of(e), Text.printable(String.valueOf(e.getMessage())));
    } finally {
      servers.forEach(Connection::close);
    }
    nodes.sort(Comparator.comparing(NodeStatus::getNode).thenComparing(NodeStatus::getClient));
    return nodes;
  }

  private void print(List<NodeStatus> nodes) {
    Instant now = Instant.now();
    TextTable table =
        new TextTable(
            new Column("NODE", Fit.CUT_MIDDLE, 12),
            new Column("CLIENT", Fit.CUT_MIDDLE, 8),
            new Column("APPLIED", Fit.ALIGN_RIGHT, 0),
            new Column("AUDITED", Fit.NEVER_CUT, 0),
            new Column("DIFFERENCES", Fit.ALIGN_RIGHT, 0));
    for (NodeStatus one : nodes) {
      boolean audited = one.getAuditedUnixNanos() != 0;
      table.row(
          Cell.of(one.getNode()),
          Cell.of(one.getClient().isEmpty() ? "-" : one.getClient()),
          Cell.of(one.getReports() ? Long.toUnsignedString(one.getApplied()) : "-"),
          Cell.of(audited ? ServedClient.age(Duration.between(time(one), now)) + " ago" : "never"),
          new Cell(
              audited ? Long.toUnsignedString(one.getAuditDifferences()) : "-",
              one.getAuditDifferences() == 0 ? Paint.NONE : Paint.RED));
    }
    terminal.print(table.withTitles(terminal.tableWidth(), terminal));
    long differing = nodes.stream().filter(one -> one.getAuditDifferences() != 0).count();
    long silent = nodes.stream().filter(one -> one.getAuditedUnixNanos() == 0).count();
    terminal.print("");
    terminal.print(
        Counted.of(nodes.size(), "node")
            + ", "
            + differing
            + " with differences, "
            + silent
            + " without an audit");
  }

  private static Instant time(NodeStatus one) {
    return Instant.EPOCH.plusNanos(one.getAuditedUnixNanos());
  }

  private record Row(
      String node, String client, long applied, Optional<Instant> auditedAt, long differences) {}

  private static Row row(NodeStatus one) {
    return new Row(
        one.getNode(),
        one.getClient(),
        one.getApplied(),
        Optional.of(time(one)).filter(time -> !time.equals(Instant.EPOCH)),
        one.getAuditDifferences());
  }
}
