package dev.portolan.timemachine.record;

import dev.portolan.core.cluster.ClusterChange;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.text.Counted;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** Prints what is being recorded. */
final class RecordLog {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final int MOST_NAMES = 2;

  private final Terminal terminal;
  private final String what;
  private long changes;
  private boolean begun;

  RecordLog(Terminal terminal, String what) {
    this.terminal = terminal;
    this.what = what;
  }

  void taken(ClusterImage cluster, long revision, ClusterChange change) {
    if (!begun) {
      begun = true;
      line("recording " + RecordedSizes.of(cluster) + " from " + what);
    } else if (!change.isEmpty()) {
      changes++;
      line("revision " + revision + ": " + names(change));
    }
  }

  void problem(String sentence) {
    line("problem: " + sentence);
  }

  void end(long bytes, Path path) {
    line(
        "done: "
            + Counted.of(changes, "change")
            + ", "
            + RecordedSizes.bytes(bytes)
            + " in "
            + path);
  }

  private void line(String text) {
    terminal.print(
        LocalTime.now(ZoneId.systemDefault()).format(TIME) + "  " + Text.printable(text));
    terminal.out().flush();
  }

  private static String names(ClusterChange change) {
    List<String> names = new ArrayList<>();
    change.services().forEach(name -> names.add("Service " + name));
    change.slices().forEach(name -> names.add("EndpointSlice " + name));
    change.nodes().forEach(name -> names.add("Node " + name));
    change.serviceCidrs().forEach(name -> names.add("ServiceCIDR " + name));
    int more = names.size() - MOST_NAMES;
    return more <= 0
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, MOST_NAMES)) + " and " + more + " more";
  }
}
