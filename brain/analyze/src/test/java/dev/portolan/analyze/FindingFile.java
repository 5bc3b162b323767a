package dev.portolan.analyze;

import dev.portolan.brain.Brain;
import dev.portolan.source.file.Manifests;
import dev.portolan.source.file.WholeManifests;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A text file with cases: manifests, and what is found in them.
 *
 * <pre>
 * What the file is about.
 *
 * --- objects: what is special about them
 * kind: Service
 * ...
 * --- expect
 * error P0101 (Service shop/web) spec.selector: what is wrong
 * </pre>
 *
 * <p>{@code --- listed objects} are as an API server lists them: all Pods are there. Without
 * anything below {@code --- expect}, nothing may be found.
 */
record FindingFile(String name, String head, List<Case> cases) {
  /** Some manifests, and the findings in them. */
  record Case(String title, String objects, List<String> expected) {
    /** What is really found. */
    List<String> found() {
      return lines(analysis().findings());
    }

    Analysis analysis() {
      return analyze(objects, title.startsWith("listed"));
    }
  }

  static FindingFile parse(String name, String text) {
    String[] parts = text.split("(?m)^--- ", -1);
    List<Case> cases = new ArrayList<>();
    for (int i = 1; i + 1 < parts.length; i += 2) {
      String[] objects = parts[i].split("\n", 2);
      List<String> expected = parts[i + 1].lines().skip(1).filter(one -> !one.isBlank()).toList();
      cases.add(new Case(objects[0], objects[1], expected));
    }
    return new FindingFile(name, parts[0], cases);
  }

  /** The file as it would pass. */
  String corrected() {
    StringBuilder text = new StringBuilder(head);
    for (Case one : cases) {
      text.append("--- ").append(one.title).append('\n').append(one.objects).append("--- expect\n");
      one.found().forEach(line -> text.append(line).append('\n'));
      text.append(one.equals(cases.getLast()) ? "" : "\n");
    }
    return text.toString();
  }

  static Analysis analyze(String manifests, boolean complete) {
    Workloads.Builder known = new Workloads.Builder();
    known.knowsServices();
    if (complete) {
      known.hasAllPods();
    }
    WholeManifests.parse(
            "objects.yaml", manifests, object -> Optional.of(WorkloadReader.read(object)))
        .forEach(each -> each.accept(known));
    Brain brain = new Brain(warning -> {});
    brain.apply(Manifests.parse("objects.yaml", manifests).image());
    return Analysis.of(new Survey(brain.decision(), known.build(), PortRange.NODE_PORTS));
  }

  static List<String> lines(List<ClusterFinding> findings) {
    return findings.stream()
        .map(finding ->
            "%s %s (%s) %s%s"
                .formatted(
                    finding.mistake().severity(),
                    finding.mistake().code(),
                    finding.object(),
                    finding.field().isEmpty() ? "" : finding.field() + ": ",
                    finding.text()))
        .toList();
  }
}
