package dev.portolan.walk.iptables;

import dev.portolan.core.net.Ip;
import dev.portolan.walk.WalkedPacket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules of a long chain by the destination that they name, so that a packet meets only those
 * that may match it: a chain of kube-proxy's has one rule for each service.
 */
final class RuleIndex {
  private static final int[] NONE = {};

  private final Map<Ip, int[]> byAddress;
  private final Map<Integer, int[]> byPort;
  private final int[] others;

  RuleIndex(List<IptablesRule> rules) {
    Map<Ip, List<Integer>> addresses = new HashMap<>();
    Map<Integer, List<Integer>> ports = new HashMap<>();
    List<Integer> rest = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      RuleSubject subject = rules.get(i).subject();
      if (subject.destination().isPresent()) {
        addresses.computeIfAbsent(subject.destination().get(), key -> new ArrayList<>(1)).add(i);
      } else if (subject.port() != 0) {
        ports.computeIfAbsent(subject.port(), key -> new ArrayList<>(1)).add(i);
      } else {
        rest.add(i);
      }
    }
    byAddress = HashMap.newHashMap(addresses.size());
    addresses.forEach((address, places) -> byAddress.put(address, array(places)));
    byPort = HashMap.newHashMap(ports.size());
    ports.forEach((port, places) -> byPort.put(port, array(places)));
    others = array(rest);
  }

  /** The first place from {@code from} on whose rule may match; -1 if there is none. */
  int next(int from, WalkedPacket packet) {
    int a = first(byAddress.getOrDefault(packet.destination(), NONE), from);
    int b = first(byPort.getOrDefault(packet.port(), NONE), from);
    int c = first(others, from);
    int nearest = Math.min(a, Math.min(b, c));
    return nearest == Integer.MAX_VALUE ? -1 : nearest;
  }

  private static int first(int[] places, int from) {
    int found = Arrays.binarySearch(places, from);
    int at = found >= 0 ? found : -found - 1;
    return at < places.length ? places[at] : Integer.MAX_VALUE;
  }

  private static int[] array(List<Integer> places) {
    return places.stream().mapToInt(Integer::intValue).toArray();
  }
}
