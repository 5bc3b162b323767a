package dev.portolan.backend.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.exec.ExecOptions.Format;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.conformance.clusters.RandomCluster;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Applying the differences gives the full state. */
final class ChangeLinesProperties {
  private static final Pattern NAME =
      Pattern.compile("\\{\"(set|delete)\":\\{\"namespace\":\"(.*?)\",\"name\":\"(.*?)\".*");

  @Property(tries = 200)
  void differencesLeadToTheWhole(@ForAll(max = 30) List<Integer> events) {
    Brain brain = new Brain(warning -> {});
    NodeView view = brain.open("n1", NodeSettings.DEFAULT);
    NodeImage told = NodeImage.unsynced("n1");
    Map<String, String> held = new TreeMap<>();
    for (int event : events) {
      brain.apply(RandomCluster.event(event));
      NodeImage now = view.image();
      ChangeLines.change(NodeChange.between(told, now)).forEach(line -> follow(held, line));
      told = now;
      Map<String, String> whole = new TreeMap<>();
      ChangeLines.services(now, Format.PORTOLAN).forEach(line -> follow(whole, line));
      assertThat(held).isEqualTo(whole);
      assertThat(ChangeLines.services(now, Format.KPNG)).allMatch(line -> line.startsWith("{\"S"));
    }
  }

  private static void follow(Map<String, String> held, String line) {
    Matcher matcher = NAME.matcher(line);
    if (matcher.matches()) {
      String name = matcher.group(2) + "/" + matcher.group(3);
      if (matcher.group(1).equals("set")) {
        held.put(name, line);
      } else {
        assertThat(held.remove(name)).isNotNull();
      }
    }
  }
}
