package dev.portolan.migration;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.text.Counted;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.TextTable.Column;
import dev.portolan.terminal.TextTable.Fit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * IPVS as a node has it.
 *
 * @param servers all virtual servers, regardless of who made them
 * @param drainLimit for how long connections go on after the move
 */
public record LiveIpvs(List<LiveServer> servers, Duration drainLimit) {
  public LiveIpvs {
    servers = List.copyOf(servers);
  }

  /** The same with the services of a cluster. */
  LiveIpvs of(Function<LiveServer.Place, List<NamespacedName>> services) {
    return new LiveIpvs(
        servers.stream().map(one -> one.of(one.place().map(services).orElse(List.of()))).toList(),
        drainLimit);
  }

  boolean isInUse() {
    return servers.stream().anyMatch(LiveServer::isOfProxy);
  }

  boolean hasHashing() {
    return servers.stream().anyMatch(one -> one.isOfProxy() && one.schedulesByHash());
  }

  boolean hasWeights() {
    return servers.stream().anyMatch(one -> one.isOfProxy() && one.weighted() > 0);
  }

  boolean hasOtherMethods() {
    return servers.stream().anyMatch(one -> one.isOfProxy() && one.otherwise() > 0);
  }

  boolean hasOthers() {
    return servers.stream().anyMatch(one -> one.owner() == LiveServer.Owner.OTHER);
  }

  /** What stands in for the words in the texts of items. */
  Map<String, String> words() {
    List<LiveServer> own = servers.stream().filter(LiveServer::isOfProxy).toList();
    Map<String, Long> schedulers =
        own.stream()
            .collect(
                Collectors.groupingBy(LiveServer::scheduler, TreeMap::new, Collectors.counting()));
    Map<String, String> words = new LinkedHashMap<>();
    words.put("ipvsServers", Counted.of(own.size(), "virtual server"));
    words.put(
        "ipvsConnections",
        Counted.of(own.stream().mapToInt(LiveServer::connections).sum(), "connection"));
    words.put(
        "ipvsSchedulers",
        schedulers.entrySet().stream()
            .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
            .collect(Collectors.joining(", ")));
    words.put("ipvsHashing", names(LiveServer::schedulesByHash));
    words.put("ipvsWeights", names(one -> one.weighted() > 0));
    words.put("ipvsMethods", names(one -> one.otherwise() > 0));
    words.put(
        "ipvsOthers",
        servers.stream()
            .filter(one -> one.owner() == LiveServer.Owner.OTHER)
            .map(LiveServer::name)
            .collect(Collectors.joining(", ")));
    words.put("drainLimit", drainLimit.toMinutes() + " minutes");
    return words;
  }

  /** The servers for which something changes, in columns, and how many others there are. */
  List<String> lines(Terminal terminal) {
    boolean named = servers.stream().anyMatch(one -> !one.services().isEmpty());
    List<Column> columns = new ArrayList<>();
    if (named) {
      columns.add(new Column("SERVICE", Fit.CUT_MIDDLE, 14));
    }
    columns.add(new Column("VIRTUAL SERVER", Fit.CUT_MIDDLE, 21));
    columns.add(new Column("SCHED", Fit.NEVER_CUT, 5));
    columns.add(new Column("CONNS", Fit.ALIGN_RIGHT, 5));
    columns.add(new Column("WHAT CHANGES", Fit.WRAP, 24));
    TextTable table = new TextTable(columns.toArray(Column[]::new));
    int others = 0;
    for (LiveServer server : servers) {
      List<String> changes = server.changes();
      if (changes.isEmpty()) {
        others++;
        continue;
      }
      List<String> cells = new ArrayList<>();
      if (named) {
        cells.add(server.services().stream().map(Object::toString).findFirst().orElse("-"));
      }
      cells.addAll(
          List.of(
              server.name(),
              server.scheduler(),
              Integer.toString(server.connections()),
              String.join(", ", changes)));
      table.row(cells.toArray(String[]::new));
    }
    List<String> lines = new ArrayList<>();
    if (others < servers.size()) {
      lines.addAll(table.withTitles(OptionalInt.of(terminal.width()), terminal));
    }
    if (others > 0) {
      lines.addAll(
          Text.wrap(
              Counted.of(others, (others < servers.size() ? "more " : "") + "virtual server")
                  + (others == 1 ? " has" : " have")
                  + " no connections; new ones will go to random endpoints instead of each in"
                  + " turn.",
              terminal.width()));
    }
    return lines;
  }

  private String names(Predicate<LiveServer> wanted) {
    return servers.stream()
        .filter(LiveServer::isOfProxy)
        .filter(wanted)
        .map(LiveServer::name)
        .collect(Collectors.joining(", "));
  }
}
