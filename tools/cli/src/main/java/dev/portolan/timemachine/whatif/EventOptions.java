package dev.portolan.timemachine.whatif;

import dev.portolan.compare.events.ClusterEvent;
import dev.portolan.compare.events.EventParser;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What is imagined to happen. */
final class EventOptions {
  @Option(
      names = "--drain",
      paramLabel = "NODE",
      description =
          "The node is drained: its pods go, and load balancers should not use it. Can be"
              + " repeated, as can all of these; what is given happens together.")
  private List<String> drained = List.of();

  @Option(
      names = "--lose",
      paramLabel = "ZONE",
      description = "All nodes and endpoints of the zone are gone.")
  private List<String> lost = List.of();

  @Option(
      names = "--delete",
      paramLabel = "OBJECT",
      description =
          "The object is deleted: pod/NAMESPACE/NAME, service/NAMESPACE/NAME,"
              + " endpointslice/NAMESPACE/NAME or node/NAME.")
  private List<String> deleted = List.of();

  @Option(
      names = "--scale",
      paramLabel = "NAMESPACE/SERVICE=PODS",
      description =
          "The service has this many pods. Those that are not ready go first, then those on nodes"
              + " with most of them; new ones come to nodes with fewest.")
  private List<String> scaled = List.of();

  @Option(
      names = "--not-ready",
      paramLabel = "ADDRESS",
      description = "The endpoint with this IP address is not ready.")
  private List<String> notReady = List.of();

  /** The events; at least one. */
  List<ClusterEvent> events() {
    List<ClusterEvent> events = new ArrayList<>();
    add(events, "drain", drained);
    add(events, "lose", lost);
    add(events, "delete", deleted);
    add(events, "scale", scaled);
    add(events, "not-ready", notReady);
    if (events.isEmpty()) {
      throw CommandFailure.usage(
          "nothing is to happen; say what with --drain, --lose, --delete, --scale or --not-ready");
    }
    return events.stream().distinct().toList();
  }

  private static void add(List<ClusterEvent> events, String kind, List<String> values) {
    for (String value : values) {
      events.add(Choice.read("--" + kind, () -> EventParser.parse(kind, value)));
    }
  }
}
