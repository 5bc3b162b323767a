package dev.portolan.backend.iptables;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodePortAddresses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the rules of all services of a family depend on. Where it changes, everything is written
 * again.
 *
 * @param nodeIp the node's own address, which source ranges may hold
 * @param localhostNodePorts whether nodePorts are served on localhost, which needs a guard
 * @param dropInvalid whether packets that fit no connection are dropped
 * @param countInvalid whether there is a counter for those
 * @param countLocalhost whether there is a counter for nodePorts on localhost
 */
record FamilySetting(
    IpFamily family,
    NodePortAddresses nodePorts,
    LocalDetector detector,
    Optional<Ip> nodeIp,
    boolean masqueradeAll,
    int masqueradeBit,
    boolean randomFully,
    boolean localhostNodePorts,
    boolean dropInvalid,
    boolean countInvalid,
    boolean countLocalhost) {
  private static final Cidr LOOPBACK_V4 = Cidr.of("127.0.0.0/8");
  private static final Cidr LOOPBACK_V6 = Cidr.of("::1/128");
  private static final String LOCAL = "-m addrtype --dst-type LOCAL";

  /**
   * What the machine can do.
   *
   * @param randomFully whether iptables can draw the port of a masqueraded connection at random
   * @param liberal whether the kernel lets packets through that fit no connection
   * @param counts whether the kernel has counters for rules
   */
  record Ability(boolean randomFully, boolean liberal, boolean counts) {
    /** A current machine, for callers without one. */
    static final Ability USUAL = new Ability(true, false, false);

    /** The same without counters. */
    Ability uncounted() {
      return new Ability(randomFully, liberal, false);
    }
  }

  /** Which packets may be for a nodePort, and where they go. */
  record Destination(String match, String target) {}

  static FamilySetting of(
      NodeFacts facts, IpFamily family, IptablesOptions options, Ability ability) {
    boolean localhost =
        family == IpFamily.IPV4
            && options.localhostNodePorts()
            && reachesLoopback(facts.nodePorts(family));
    return new FamilySetting(
        family,
        facts.nodePorts(family),
        facts.detector(family),
        facts.primaryIp(family),
        facts.masqueradeAll(),
        options.masqueradeBit(),
        ability.randomFully(),
        localhost,
        !(options.conntrackLiberal() || ability.liberal()),
        ability.counts(),
        ability.counts() && localhost);
  }

  private static boolean reachesLoopback(NodePortAddresses addresses) {
    return addresses.all() || addresses.ranges().stream().anyMatch(FamilySetting::meetsLoopback);
  }

  private static boolean meetsLoopback(Cidr range) {
    Cidr loopback = loopback(range.family());
    return range.contains(loopback) || loopback.contains(range);
  }

  private static Cidr loopback(IpFamily family) {
    return family == IpFamily.IPV4 ? LOOPBACK_V4 : LOOPBACK_V6;
  }

  /** The same without counters. */
  FamilySetting uncounted() {
    return new FamilySetting(
        family,
        nodePorts,
        detector,
        nodeIp,
        masqueradeAll,
        masqueradeBit,
        randomFully,
        localhostNodePorts,
        dropInvalid,
        false,
        false);
  }

  /**
   * Which packets may be for a nodePort. What the node's own addresses are is left to the kernel,
   * so that a new one counts at once.
   */
  List<Destination> nodePortDestinations() {
    String notLoopback = localhostNodePorts ? "" : " ! -d " + loopback(family);
    if (nodePorts.all()) {
      return List.of(new Destination(LOCAL + notLoopback, Chains.NODE_PORTS));
    }
    List<Destination> destinations = new ArrayList<>();
    if (!localhostNodePorts && nodePorts.ranges().stream().anyMatch(FamilySetting::meetsLoopback)) {
      destinations.add(new Destination("-d " + loopback(family), "RETURN"));
    }
    for (Cidr range : nodePorts.ranges()) {
      if (localhostNodePorts || !loopback(family).contains(range)) {
        destinations.add(new Destination("-d " + range + " " + LOCAL, Chains.NODE_PORTS));
      }
    }
    return destinations;
  }
}
