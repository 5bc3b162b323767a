package dev.portolan.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.source.file.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Edits of a cluster are in a text file, with what must be said about each. */
class ObjectDiffTest {
  private static final Path FILE = Path.of("src/test/resources/object-diff.txt");
  private static final NamespacedName WEB = new NamespacedName("shop", "web");

  @TestFactory
  Stream<DynamicTest> every_edit_is_told() throws IOException {
    String[] parts = Files.readString(FILE).split("(?m)^-- (?=.* --$)", -1);
    String objects = body(parts[1]);
    return Stream.of(parts)
        .skip(2)
        .map(part -> {
          String name = part.substring(0, part.indexOf(" --"));
          return DynamicTest.dynamicTest(name, () -> check(objects, body(part)));
        });
  }

  @Test
  void objects_come_and_go() throws IOException {
    ClusterImage cluster = cluster(body(Files.readString(FILE).split("-- objects", -1)[1]));
    assertThat(ObjectDiff.between(ClusterImage.EMPTY, cluster))
        .extracting(FieldChange::toString)
        .startsWith("Service shop/old created", "Service shop/web created")
        .contains(
            "EndpointSlice shop/web-b created",
            "EndpointSlice shop/web-b: endpoints[10.244.3.5] added: on worker-3, zone b")
        .endsWith("Node worker-1 created", "ServiceCIDR kubernetes created");
    assertThat(ObjectDiff.causes(WEB, cluster, ClusterImage.EMPTY))
        .extracting(FieldChange::toString)
        .startsWith("Service shop/web deleted", "EndpointSlice shop/web-a deleted")
        .contains("Node worker-1 deleted")
        .doesNotContain("Service shop/old deleted", "ServiceCIDR kubernetes deleted");
  }

  private static void check(String objects, String edit) {
    String edited = objects;
    String replaced = "";
    List<String> replacement = new ArrayList<>();
    List<String> differences = new ArrayList<>();
    List<String> causes = new ArrayList<>();
    for (String line : (edit + "\n- ").split("\n", -1)) {
      String rest = line.length() < 2 ? "" : line.substring(2);
      switch (line.isEmpty() ? ' ' : line.charAt(0)) {
        case '-' -> {
          if (!replaced.isEmpty()) {
            assertThat(edited).contains(replaced);
            edited = edited.replace(replaced, String.join("\n", replacement));
          }
          replaced = rest.replace('|', '\n');
          replacement.clear();
        }
        case '+' -> replacement.add(rest.replace('|', '\n'));
        case '=' -> {
          differences.add(rest);
          causes.add(rest);
        }
        case '~' -> differences.add(rest);
        default -> assertThat(line).isBlank();
      }
    }
    ClusterImage before = cluster(objects);
    ClusterImage after = cluster(edited);
    assertThat(ObjectDiff.between(before, after))
        .extracting(FieldChange::toString)
        .containsExactlyInAnyOrderElementsOf(differences);
    assertThat(ObjectDiff.causes(WEB, before, after))
        .extracting(FieldChange::toString)
        .containsExactlyInAnyOrderElementsOf(causes);
  }

  private static ClusterImage cluster(String manifests) {
    return Manifests.parse("objects", manifests).image();
  }

  private static String body(String part) {
    return part.substring(part.indexOf('\n') + 1).split("(?m)^-- ", -1)[0];
  }
}
