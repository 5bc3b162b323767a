package dev.portolan.audit;

import dev.portolan.audit.AuditDifference.Basis;
import dev.portolan.audit.AuditDifference.Kind;
import dev.portolan.core.text.Counted;
import dev.portolan.walk.WalkStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects what packets to one place after the other met, and puts together what is the same: for
 * several clients of one place, and for all places where it is one rule's doing.
 */
final class DeviationList {
  private final List<AuditDifference> differences = new ArrayList<>();
  private final Map<Found, List<String>> ofPlace = new LinkedHashMap<>();
  private final Map<Found, Blamed> ofRules = new LinkedHashMap<>();
  private int asked;
  private long packets;

  /**
   * What was found.
   *
   * @param rule the rule of another program that is to blame, and its place; empty where none is
   */
  record Found(Kind kind, Basis basis, Optional<WalkStep> rule, String text) {
    static Found ofRule(Kind kind, WalkStep step) {
      return new Found(kind, Basis.PACKETS, Optional.of(step), "");
    }
  }

  /** Whose packets a rule ended, the first of them by name. */
  private static final class Blamed {
    private final String first;
    private long packets;

    Blamed(String first) {
      this.first = first;
    }
  }

  /** What a packet of {@code client} to the present place met; empty where all was well. */
  void add(String client, Optional<Found> found) {
    asked++;
    packets++;
    found.ifPresent(what -> ofPlace.computeIfAbsent(what, _ -> new ArrayList<>()).add(client));
  }

  /** Takes over what another list has collected, after what this one has. */
  void append(DeviationList other) {
    differences.addAll(other.differences);
    other.ofRules.forEach((found, blamed) ->
        ofRules.computeIfAbsent(found, _ -> new Blamed(blamed.first)).packets += blamed.packets);
    packets += other.packets;
  }

  /** How many packets were counted. */
  long packets() {
    return packets;
  }

  /** That nothing more comes for the present place. */
  void end(String service, String place) {
    ofPlace.forEach((found, clients) -> {
      boolean shared = found.rule.isPresent() || found.kind == Kind.UNREADABLE;
      if (shared) {
        String name = (service.isEmpty() ? "" : service + " ") + place;
        ofRules.computeIfAbsent(found, _ -> new Blamed(name)).packets += clients.size();
      } else {
        String from = clients.size() == asked ? "" : "from " + enumerate(clients) + ": ";
        differences.add(
            new AuditDifference(found.kind, found.basis, place, service, from + found.text));
      }
    });
    ofPlace.clear();
    asked = 0;
  }

  private static String enumerate(List<String> labels) {
    return labels.size() == 1
        ? labels.getFirst()
        : String.join(", ", labels.subList(0, labels.size() - 1)) + " and " + labels.getLast();
  }

  /** All differences, those of other programs' rules last. */
  List<AuditDifference> differences() {
    List<AuditDifference> all = new ArrayList<>(differences);
    ofRules.forEach((found, blamed) -> {
      String whose =
          " (" + Counted.of(blamed.packets, "packet") + ", such as to " + blamed.first + ")";
      all.add(
          found
              .rule
              .map(step ->
                  new AuditDifference(
                      found.kind,
                      found.basis,
                      step.place(),
                      "",
                      "this rule of another program ends packets to services: "
                          + step.rule()
                          + whose))
              .orElseGet(() ->
                  new AuditDifference(found.kind, found.basis, "rules", "", found.text + whose)));
    });
    return all;
  }
}
