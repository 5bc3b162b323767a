package dev.portolan.cli.command;

import dev.portolan.api.v1.NodeStatus;
import dev.portolan.api.v1.NodesReply;
import dev.portolan.client.Connection;
import dev.portolan.client.ConnectionException;
import dev.portolan.client.Followed;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.text.Counted;
import dev.portolan.core.text.Tree;
import dev.portolan.decision.view.ServedClient;
import dev.portolan.options.ApiOptions;
import dev.portolan.options.LinkRemarks;
import dev.portolan.options.OutputOptions;
import dev.portolan.options.TlsOptions;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.query.Output;
import dev.portolan.terminal.query.ResultTree;
import dev.portolan.terminal.view.ListingStyle;
import dev.portolan.wiring.Visitor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the clients of a brain, and which revision each has applied. */
@Command(
    name = "nodes",
    header = "List the nodes of a brain: client, revision, lag and last error of each.",
    customSynopsis = "portolan nodes [--api ADDRESS] [-o FORMAT] [--watch]",
    sortOptions = false,
    footerHeading =
        "%nREVISION is the node's newest revision, AGE the time since it was made, APPLIED%nthe"
            + " last one that the client has reported (- if it does not report), LAG how%nlong it"
            + " has been behind. A Node that no backend watches is listed as 'no client';"
            + " one%nwhose backend left is listed as 'gone' for as long as the Node"
            + " exists.%n%nExamples:%n",
    footer = {
      "  portolan nodes --api unix:///run/portolan/api.sock",
      "  portolan nodes --api unix:///run/portolan/api.sock -o wide --watch"
    })
public final class NodesCommand implements Callable<Integer> {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Terminal terminal;

  @Mixin private final ApiOptions api = new ApiOptions();
  @Mixin private final TlsOptions tls = new TlsOptions();

  @Mixin private final OutputOptions output = new OutputOptions();

  @Option(
      names = {"-w", "--watch"},
      description = "Keep running and print each client whose state changes.")
  private boolean watch;

  private Set<NodeStatus> printed = Set.of();
  private final Set<String> missed = new HashSet<>();
  private boolean titled;
  private ListingStyle style = new ListingStyle(false, true, Optional.empty());

  /** Prints to {@code terminal}. */
  public NodesCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Output form = output.output();
    style = output.style();
    Remarks remarks = new Remarks(terminal);
    // Each server behind a name knows the clients that it serves, and no others.
    List<Connection> servers = api.connectEach(tls, remarks);
    try {
      NodesReply reply = ask(servers, remarks);
      remark(reply, remarks);
      print(reply, form);
      if (watch) {
        watch(servers, form, remarks);
      }
    } catch (ConnectionException e) {
      throw CommandFailure.input(ErrorCode.of(e), Text.printable(String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      servers.forEach(Connection::close);
    }
    return 0;
  }

  /** What all servers say; one that does not answer is a warning, as long as another does. */
  private NodesReply ask(List<Connection> servers, Remarks remarks) throws ConnectionException {
    List<NodesReply> replies = new ArrayList<>();
    List<ConnectionException> silent = new ArrayList<>();
    try (Waiting _ = Waiting.announce(() -> "waiting for " + api + " to answer", remarks)) {
      for (Connection server : servers) {
        try {
          replies.add(watch ? server.watchedNodes() : server.nodes());
        } catch (ConnectionException e) {
          silent.add(e);
        }
      }
    }
    if (replies.isEmpty()) {
      throw silent.getFirst();
    }
    for (ConnectionException each : silent) {
      String sentence = Text.printable(String.valueOf(each.getMessage()));
      if (missed.add(sentence)) {
        remarks.warn(sentence + "; its clients are not listed");
      }
    }
    return replies.size() == 1 ? replies.getFirst() : all(replies);
  }

  /** All replies as one. A client that went from one server to another is gone nowhere. */
  private static NodesReply all(List<NodesReply> replies) {
    List<NodeStatus> clients =
        replies.stream().flatMap(reply -> reply.getNodesList().stream()).toList();
    Set<String> connected =
        clients.stream()
            .filter(NodeStatus::getConnected)
            .map(NodesCommand::identity)
            .collect(Collectors.toSet());
    return replies.getFirst().toBuilder()
        .clearNodes()
        .addAllNodes(
            clients.stream()
                .filter(one -> one.getConnected() || !connected.contains(identity(one)))
                .toList())
        .setSynced(replies.stream().allMatch(NodesReply::getSynced))
        .setNodesLeftOut(replies.stream().mapToInt(NodesReply::getNodesLeftOut).sum())
        .clearClusterNodes()
        .addAllClusterNodes(
            new TreeSet<>(
                replies.stream().flatMap(one -> one.getClusterNodesList().stream()).toList()))
        .build();
  }

  private static String identity(NodeStatus status) {
    return status.getNode() + " " + status.getClient();
  }

  private void remark(NodesReply reply, Remarks remarks) {
    if (!reply.getSynced()) {
      remarks.warn(api + " has not read its cluster yet, so there are no decisions");
    }
    if (reply.getNodesLeftOut() > 0) {
      remarks.warn(
          Counted.of(reply.getNodesLeftOut(), "client")
              + " not listed: an answer has room for 4 MiB");
    }
    if (shown(reply).isEmpty()) {
      remarks.say("no client is connected to " + api + ", and its cluster has no Node");
    }
  }

  private void watch(List<Connection> servers, Output form, Remarks remarks)
      throws InterruptedException {
    Followed followed = new Followed(PAUSE, new LinkRemarks(remarks, api + " is back"));
    followed.run(() -> {
      while (!terminal.isClosed()) {
        Thread.sleep(PAUSE);
        NodesReply reply = ask(servers, remarks);
        followed.works();
        print(reply, form);
      }
    });
  }

  /** Prints what was not printed before: of a table each client that changed, else everything. */
  private void print(NodesReply reply, Output form) {
    List<NodeStatus> shown =
        style.sorted(shown(reply), status -> Tree.of(new ServedClient(status, Instant.now())));
    if (titled && printed.equals(new HashSet<>(shown))) {
      return;
    }
    if (!form.isTree()) {
      terminal.print(changedRows(shown));
    } else if (watch) {
      form.printOneOfMany(result(reply, shown), style.titles() && !titled, terminal);
    } else {
      form.print(result(reply, shown), style.titles(), terminal);
    }
    terminal.out().flush();
    printed = new HashSet<>(shown);
    titled = true;
  }

  /** What clients there are, and every Node that none of them works for. */
  private static List<NodeStatus> shown(NodesReply reply) {
    List<NodeStatus> shown =
        new ArrayList<>(
            reply.getNodesList().stream().filter(NodesCommand::isWorthShowing).toList());
    Set<String> served =
        shown.stream()
            .filter(status -> !Visitor.is(status.getClient()))
            .map(NodeStatus::getNode)
            .collect(Collectors.toSet());
    reply.getClusterNodesList().stream()
        .filter(node -> !served.contains(node))
        .forEach(node -> shown.add(ServedClient.nobody(node)));
    shown.sort(Comparator.comparing(NodeStatus::getNode));
    return shown;
  }

  /** Leaves out visitors and other brains that have disconnected. */
  private static boolean isWorthShowing(NodeStatus status) {
    return status.getConnected() || !(status.getNode().isEmpty() || Visitor.is(status.getClient()));
  }

  private List<String> changedRows(List<NodeStatus> shown) {
    boolean wide = style.wide();
    Instant now = Instant.now();
    TextTable table = wide ? ServedClient.wideTable() : ServedClient.table();
    for (NodeStatus status : shown) {
      ServedClient client = new ServedClient(status, now);
      if (wide) {
        client.addToWide(table);
      } else {
        client.addTo(table);
      }
    }
    List<List<String>> rows = table.byRow(style.width(terminal), terminal);
    List<String> lines = new ArrayList<>(titled || !style.titles() ? List.of() : rows.getFirst());
    for (int i = 0; i < shown.size(); i++) {
      if (!printed.contains(shown.get(i))) {
        lines.addAll(rows.get(i + 1));
      }
    }
    return lines;
  }

  private record Facts(String source, String version, boolean synced) {}

  private static ResultTree result(NodesReply reply, List<NodeStatus> shown) {
    Instant now = Instant.now();
    return ResultTree.list(
        "NodeStatusList",
        new Facts(reply.getSource(), reply.getVersion(), reply.getSynced()),
        "nodes",
        shown.stream().map(status -> new ServedClient(status, now)).toList(),
        client -> "node/" + client.status().getNode());
  }
}
