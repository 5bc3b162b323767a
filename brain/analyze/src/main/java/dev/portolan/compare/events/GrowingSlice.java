package dev.portolan.compare.events;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.net.Ip;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A slice that new pods come to. */
final class GrowingSlice {
  private final EndpointSlice before;
  private final List<Member> members;
  private boolean zoneHints;
  private boolean nodeHints;

  GrowingSlice(EndpointSlice before) {
    this.before = before;
    this.members = new ArrayList<>(before.members());
    this.zoneHints = allHave(Member::zoneHints);
    this.nodeHints = allHave(Member::nodeHints);
  }

  private boolean allHave(Function<Member, List<String>> hints) {
    return !members.isEmpty()
        && members.stream().noneMatch(member -> hints.apply(member).isEmpty());
  }

  EndpointSlice.AddressType addressType() {
    return before.addressType();
  }

  /** The slice with those that have come. */
  EndpointSlice slice() {
    return before.with(members);
  }

  /** Adds a pod, with a hint for its own place where all others have hints, too. */
  void add(Ip address, Node host, String target) {
    zoneHints &= !host.zone().isEmpty();
    nodeHints &= !host.name().isEmpty();
    members.add(
        new Member(
            List.of(address.toString()),
            Conditions.READY,
            host.name(),
            host.zone(),
            zoneHints ? List.of(host.zone()) : List.of(),
            nodeHints ? List.of(host.name()) : List.of(),
            target));
  }
}
