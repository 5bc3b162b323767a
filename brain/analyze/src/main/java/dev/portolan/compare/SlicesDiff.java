package dev.portolan.compare;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ObjectRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What differs in the slices of one service.
 *
 * <p>Controllers move endpoints between slices as they like, so an endpoint is followed by its
 * address through all slices of the service that differ.
 */
final class SlicesDiff {
  private final NamespacedName service;
  private final List<FieldChange> ofSlices = new ArrayList<>();
  private final List<FieldChange> ofEndpoints = new ArrayList<>();
  private final Map<String, List<Placed>> before = new LinkedHashMap<>();
  private final Map<String, List<Placed>> after = new LinkedHashMap<>();
  private final Set<ObjectRef> filled = new HashSet<>();
  private boolean hinted;
  private boolean compared;

  /** An endpoint and where it is. */
  private record Placed(EndpointSlice slice, Member member) {}

  SlicesDiff(NamespacedName service) {
    this.service = service;
  }

  /** Adds a slice that differs and is, or was, of this service. */
  void add(@Nullable EndpointSlice old, @Nullable EndpointSlice now) {
    if (old == null && now != null) {
      ofSlices.add(FieldChange.created(now.ref()));
    } else if (now == null && old != null) {
      ofSlices.add(FieldChange.deleted(old.ref()));
    } else if (old != null && now != null) {
      ofSlices.addAll(ObjectFields.of(old).to(ObjectFields.of(now), now.ref(), ""));
    }
    place(old, before);
    place(now, after);
  }

  private void place(@Nullable EndpointSlice slice, Map<String, List<Placed>> side) {
    if (slice == null || !slice.serviceName().equals(service.name())) {
      return;
    }
    for (Member member : slice.members()) {
      filled.add(slice.ref());
      hinted |= !member.zoneHints().isEmpty();
      String address = member.addresses().isEmpty() ? "" : member.addresses().getFirst();
      side.computeIfAbsent(address, _ -> new ArrayList<>()).add(new Placed(slice, member));
    }
  }

  /** Whether any of these endpoints is meant for certain zones. */
  boolean hinted() {
    return hinted;
  }

  /** All differences. */
  List<FieldChange> all() {
    compare();
    List<FieldChange> all = new ArrayList<>(ofSlices);
    all.addAll(ofEndpoints);
    return all;
  }

  /** The differences without slices that came or went while their endpoints stayed the same. */
  List<FieldChange> causes() {
    compare();
    Set<ObjectRef> touched = new HashSet<>();
    ofEndpoints.forEach(change -> touched.add(change.object()));
    List<FieldChange> causes = new ArrayList<>();
    for (FieldChange change : ofSlices) {
      if (!change.ofWholeObject()
          || touched.contains(change.object())
          || !filled.contains(change.object())) {
        causes.add(change);
      }
    }
    causes.addAll(ofEndpoints);
    return causes;
  }

  private void compare() {
    if (compared) {
      return;
    }
    compared = true;
    Set<String> addresses = new LinkedHashSet<>(before.keySet());
    addresses.addAll(after.keySet());
    for (String address : addresses) {
      List<Placed> old = new ArrayList<>(before.getOrDefault(address, List.of()));
      List<Placed> now = new ArrayList<>(after.getOrDefault(address, List.of()));
      pair(address, old, now, true);
      pair(address, old, now, false);
      String field = "endpoints[" + address + "]";
      for (Placed gone : old) {
        ofEndpoints.add(new FieldChange(gone.slice.ref(), field, describe(gone.member), ""));
      }
      for (Placed added : now) {
        ofEndpoints.add(new FieldChange(added.slice.ref(), field, "", describe(added.member)));
      }
    }
  }

  /** Compares what is on both sides and takes it out of both: first what stayed in its slice. */
  private void pair(String address, List<Placed> old, List<Placed> now, boolean sameSlice) {
    for (Placed one : List.copyOf(old)) {
      for (Placed other : now) {
        if (!sameSlice || one.slice.name().equals(other.slice.name())) {
          old.remove(one);
          now.remove(other);
          compare(address, one, other);
          break;
        }
      }
    }
  }

  private void compare(String address, Placed old, Placed now) {
    String field = "endpoints[" + address + "].";
    if (!old.member.equals(now.member)) {
      ofEndpoints.addAll(
          ObjectFields.of(old.member).to(ObjectFields.of(now.member), now.slice.ref(), field));
    }
    if (!old.slice.name().equals(now.slice.name())) {
      String ports = ObjectFields.portsText(old.slice);
      String portsNow = ObjectFields.portsText(now.slice);
      if (!ports.equals(portsNow)) {
        ofEndpoints.add(new FieldChange(now.slice.ref(), field + "ports", ports, portsNow));
      }
    }
  }

  /** What {@code member} is, and what is special about it. */
  private static String describe(Member member) {
    List<String> words = new ArrayList<>();
    String node = member.node().isEmpty() ? "" : "on " + member.node();
    String place = (member.target() + " " + node).strip();
    if (!place.isEmpty()) {
      words.add(place);
    }
    if (!member.zone().isEmpty()) {
      words.add("zone " + member.zone());
    }
    if (member.conditions().terminating()) {
      words.add(member.conditions().serving() ? "terminating" : "terminating, not serving");
    } else if (!member.conditions().ready()) {
      words.add("not ready");
    }
    if (!member.zoneHints().isEmpty()) {
      words.add("hints.forZones " + String.join(" ", member.zoneHints()));
    }
    if (!member.nodeHints().isEmpty()) {
      words.add("hints.forNodes " + String.join(" ", member.nodeHints()));
    }
    return words.isEmpty() ? "ready" : String.join(", ", words);
  }
}
