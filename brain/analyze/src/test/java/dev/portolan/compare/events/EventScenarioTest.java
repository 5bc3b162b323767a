package dev.portolan.compare.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.NodeSettings;
import dev.portolan.compare.decisions.ClusterComparison;
import dev.portolan.compare.decisions.ComparedNodes;
import dev.portolan.compare.decisions.DecidedState;
import dev.portolan.compare.decisions.NodeSet;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.source.file.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Text files: a sentence, {@code objects} as for kubectl, and any number of {@code events} with
 * what is to be expected. An event is a line such as {@code drain worker-1}, as whatif has options.
 * In place of {@code objects} a file may say {@code objects of OTHER}.
 */
final class EventScenarioTest {
  private static final Path FOLDER = Path.of("src/test/resources/whatif");

  @TestFactory
  Stream<DynamicTest> every_scenario_holds() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().toList().stream()
          .map(file ->
              DynamicTest.dynamicTest(
                  file.getFileName().toString(), file.toUri(), () -> check(file)));
    }
  }

  private static void check(Path file) throws IOException {
    ClusterImage cluster = ClusterImage.EMPTY;
    List<String> events = List.of();
    int expectations = 0;
    for (String part : Files.readString(file).split("(?m)^-- (?=.* --$)", -1)) {
      String title = part.contains(" --\n") ? part.substring(0, part.indexOf(" --\n")) : "";
      String body = part.substring(part.indexOf('\n') + 1);
      switch (title) {
        case "objects" -> cluster = Manifests.parse(file.toString(), body).image();
        case "events" -> events = body.lines().filter(line -> !line.isBlank()).toList();
        case "expect" -> {
          expectations++;
          assertThat(String.join("\n", answer(cluster, events))).isEqualTo(body.strip());
        }
        default -> {
          if (title.startsWith("objects of ")) {
            Path other = FOLDER.resolve(title.substring("objects of ".length()) + ".scenario");
            String text = Files.readString(other).split("-- objects --\n|-- events --\n", -1)[1];
            cluster = Manifests.parse(other.toString(), text).image();
          } else {
            assertThat(title).as("section").isEmpty();
          }
        }
      }
    }
    assertThat(expectations).isPositive();
  }

  private static List<String> answer(ClusterImage cluster, List<String> lines) {
    try {
      List<ClusterEvent> events = lines.stream().map(EventScenarioTest::event).toList();
      return lines(cluster, ImaginedCluster.after(cluster, events));
    } catch (IllegalArgumentException e) {
      return List.of("mistake: " + e.getMessage());
    }
  }

  private static ClusterEvent event(String line) {
    int space = line.indexOf(' ');
    return EventParser.parse(line.substring(0, space), line.substring(space + 1));
  }

  private static List<String> lines(ClusterImage cluster, ImaginedCluster imagined) {
    DecidedState now = new DecidedState(cluster, BrainSettings.DEFAULT, NodeSettings.DEFAULT);
    ComparedNodes nodes =
        ComparedNodes.between(
            now, now.with(imagined.cluster()), name -> !imagined.nodesGone().contains(name));
    Impact impact = Impact.of(nodes, ClusterComparison.of(nodes));
    List<String> lines = new ArrayList<>();
    for (EventNote note : imagined.notes()) {
      lines.add(note.event() + ": " + note.effect());
      note.endpoints().forEach(endpoint -> lines.add("  " + endpoint));
    }
    Function<Impact.Reversal, String> reversal =
        one ->
            "%s %s %s -> %s on %s"
                .formatted(
                    port(one.port(), one.family()),
                    one.traffic().toString().toLowerCase(Locale.ROOT),
                    one.before(),
                    one.after(),
                    on(one.nodes()));
    impact.broken().forEach(one -> lines.add("breaks " + reversal.apply(one)));
    impact.mended().forEach(one -> lines.add("mends " + reversal.apply(one)));
    impact
        .loads()
        .forEach(load ->
            lines.add(
                String.format(
                    Locale.ROOT,
                    "load %s %d -> %d x%.1f",
                    port(load.port(), load.family()),
                    load.before(),
                    load.after(),
                    load.factor())));
    impact
        .leavingZone()
        .forEach(one ->
            lines.add(
                "leaves %s %s %d -> %d on %s"
                    .formatted(
                        one.zone(),
                        port(one.port(), one.family()),
                        one.before(),
                        one.after(),
                        on(one.nodes()))));
    impact.otherwise().forEach(name -> lines.add("otherwise " + name));
    lines.add("unchanged " + impact.unchanged());
    return lines;
  }

  private static String port(ServicePortName name, IpFamily family) {
    return name + (family == IpFamily.IPV6 ? " IPv6" : "");
  }

  private static String on(NodeSet nodes) {
    return nodes.isAll() ? "all" : String.join(" ", nodes.names());
  }
}
