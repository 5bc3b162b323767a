package dev.portolan.walk.ipvs;

import dev.portolan.backend.ipvs.IpvsOptions;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.HookedRules;
import dev.portolan.walk.Journey;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.ServedPlace;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkedPacket;
import dev.portolan.walk.iptables.Arrivals;
import dev.portolan.walk.iptables.IptablesRuleset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Virtual servers of IPVS with the rules beside them: which sources are changed, and what does not
 * get to IPVS at all.
 */
public final class IpvsRuleset implements Ruleset {
  private final VirtualServers servers;
  private final NodeNetwork network;
  private final String beside;
  private final Map<IpFamily, List<HookedRules>> rules;

  /**
   * These virtual servers, with rules beside them.
   *
   * @param beside what the rules are, for a person
   * @param rules for each family; each packet meets them in this order at each hook
   */
  public IpvsRuleset(
      VirtualServers servers,
      NodeNetwork network,
      String beside,
      Map<IpFamily, List<HookedRules>> rules) {
    this.servers = servers;
    this.network = network;
    this.beside = beside;
    this.rules = Map.copyOf(rules);
  }

  /**
   * Reads this process's network namespace, or the one that {@code namespace} names, where a
   * kube-proxy has left virtual servers, and sets and rules of iptables beside them.
   *
   * @return empty where there are no virtual servers, or no device with their addresses
   */
  public static Optional<IpvsRuleset> read(Optional<Path> namespace) {
    return read(namespace, "", Map.of());
  }

  /**
   * The same with further rules beside them.
   *
   * @param beside what these are, for a person
   */
  public static Optional<IpvsRuleset> read(
      Optional<Path> namespace, String beside, Map<IpFamily, HookedRules> further) {
    NodeNetwork network = NodeNetwork.read(namespace);
    return VirtualServers.read(namespace)
        .filter(it -> !it.all().isEmpty() && network.link(IpvsOptions.DEVICE).isPresent())
        .map(it -> {
          List<IptablesRuleset> iptables = IptablesRuleset.read(namespace);
          List<String> names = new ArrayList<>();
          iptables.forEach(each -> names.add(each.description()));
          if (!beside.isEmpty()) {
            names.add(beside);
          }
          Map<IpFamily, List<HookedRules>> rules = new EnumMap<>(IpFamily.class);
          for (IpFamily family : IpFamily.values()) {
            List<HookedRules> all = new ArrayList<>();
            iptables.forEach(each -> each.hooks(family).ifPresent(all::add));
            Optional.ofNullable(further.get(family)).ifPresent(all::add);
            rules.put(family, all);
          }
          return new IpvsRuleset(it, network, String.join(", ", names), rules);
        });
  }

  @Override
  public String description() {
    return "virtual servers of IPVS" + (beside.isEmpty() ? "" : ", with " + beside);
  }

  @Override
  public Set<ServedPlace> served() {
    Set<ServedPlace> served = new LinkedHashSet<>();
    for (VirtualServers.Server server : servers.all()) {
      Optional<Protocol> protocol = VirtualServers.protocol(server.service().protocol());
      Ip address = Ip.fromBytes(server.service().address().getAddress());
      boolean ofService = !network.isLocal(address) || network.isOn(IpvsOptions.DEVICE, address);
      protocol.ifPresent(it ->
          served.add(
              new ServedPlace(
                  address.family(),
                  it,
                  ofService ? Optional.of(address) : Optional.empty(),
                  server.service().port(),
                  "")));
    }
    return served;
  }

  /**
   * The packet of a process of the node that does not choose where it comes from: the node has the
   * service's address itself, so that is where it comes from.
   */
  @Override
  public FirstPacket connecting(FirstPacket packet) {
    return packet.isFromNode() && network.isOn(IpvsOptions.DEVICE, packet.destination())
        ? new FirstPacket(
            packet.destination(),
            packet.sourcePort(),
            packet.destination(),
            packet.port(),
            packet.protocol(),
            packet.arrivesThrough())
        : packet;
  }

  @Override
  public WalkResult walk(FirstPacket packet) {
    IpvsWalk walk =
        new IpvsWalk(
            servers, network, rules.getOrDefault(packet.destination().family(), List.of()));
    Journey start = Journey.of(WalkedPacket.of(packet, ""));
    return Arrivals.result(
        packet.isFromNode() ? walk.sent(start) : walk.arriving(start), list -> List.of(), Set.of());
  }
}
