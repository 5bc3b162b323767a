package dev.portolan.walk.iptables;

import dev.portolan.backend.iptables.Chains;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.backend.iptables.RuleListing;
import dev.portolan.backend.iptables.RuleText;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.IpFamily;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.HookedRules;
import dev.portolan.walk.Journey;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.ServedPlace;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkedPacket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All rules of one kind of iptables, in both families, regardless of who wrote them. */
public final class IptablesRuleset implements Ruleset {
  private static final Pattern SOURCE = Pattern.compile(" -s (\\S+/[0-9]+)");

  private final String kind;
  private final Map<IpFamily, SavedTables> tables = new EnumMap<>(IpFamily.class);
  private final NodeNetwork network;
  private final Set<Cidr> sources = new HashSet<>();

  /**
   * The rules that {@code lines} of iptables-save say, for each family.
   *
   * @param kind what kind of iptables it is, for a person
   */
  public IptablesRuleset(
      String kind,
      Map<IpFamily, ? extends Iterable<String>> lines,
      NodeNetwork network,
      AddressSets sets) {
    this.kind = kind;
    this.network = network;
    RuleReader reader = new RuleReader(network, sets);
    lines.forEach((family, text) -> tables.put(family, SavedTables.parse(text, reader)));
    lines.values().forEach(text -> text.forEach(this::addSource));
  }

  private void addSource(String line) {
    Matcher named = SOURCE.matcher(line);
    if (named.find()) {
      Cidr.parse(named.group(1)).ifPresent(sources::add);
    }
  }

  /**
   * Reads the rules of this process's network namespace, or of the one that {@code namespace}
   * names, with the programs of this host: one ruleset for each kind of iptables that has
   * kube-proxy's chains, or ours.
   */
  public static List<IptablesRuleset> read(Optional<Path> namespace) {
    List<IptablesRuleset> found = new ArrayList<>();
    for (Variant variant : List.of(Variant.NFT, Variant.LEGACY)) {
      read(variant, namespace).filter(IptablesRuleset::servesServices).ifPresent(found::add);
    }
    return found;
  }

  /** The rules of one kind of iptables; empty where this host does not have its programs. */
  public static Optional<IptablesRuleset> read(Variant variant, Optional<Path> namespace) {
    Map<IpFamily, List<String>> lines = new EnumMap<>(IpFamily.class);
    for (IpFamily family : IpFamily.values()) {
      RuleListing.read(variant, family, namespace).ifPresent(text -> lines.put(family, text));
    }
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new IptablesRuleset(
                "iptables-" + variant.name().toLowerCase(Locale.ROOT),
                lines,
                NodeNetwork.read(namespace),
                AddressSets.read(lines.values(), namespace)));
  }

  /** Whether it has kube-proxy's chains, or ours. */
  public boolean servesServices() {
    return tables.values().stream()
        .anyMatch(each -> each.chain(Chains.NAT, Chains.SERVICES).isPresent());
  }

  /** Whether any rule, of any program, does something with packets. */
  public boolean hasRules() {
    return tables.values().stream().anyMatch(SavedTables::hasRules);
  }

  /** What kind of iptables it is: {@code iptables-nft}, {@code iptables-legacy}. */
  public String kind() {
    return kind;
  }

  /** Whether its chains are ours; kube-proxy's have the same names. */
  public boolean isOurs() {
    return tables.values().stream()
        .flatMap(each -> each.chain(Chains.NAT, Chains.MARK_MASQUERADE).stream())
        .flatMap(chain -> chain.rules().stream())
        .anyMatch(rule -> rule.subject().comment().equals(RuleText.OUR_MARK));
  }

  /** The rules of one family at the kernel's hooks; empty where it has none. */
  public Optional<HookedRules> hooks(IpFamily family) {
    return Optional.ofNullable(tables.get(family)).map(each -> new IptablesHooks(each, network));
  }

  @Override
  public String description() {
    return kind
        + (isOurs() ? ", chains of Portolan" : servesServices() ? ", chains of kube-proxy" : "");
  }

  @Override
  public Set<ServedPlace> served() {
    Set<ServedPlace> served = new LinkedHashSet<>();
    tables.forEach((family, each) -> served.addAll(ServedRules.of(each, family)));
    return served;
  }

  @Override
  public Set<Cidr> sources() {
    return Set.copyOf(sources);
  }

  @Override
  public WalkResult walk(FirstPacket packet) {
    SavedTables rules = tables.get(packet.destination().family());
    if (rules == null) {
      return Arrivals.result(
          List.of(Journey.of(WalkedPacket.of(packet, ""))), list -> List.of(), Set.of());
    }
    IptablesHooks hooks = new IptablesHooks(rules, network);
    return Arrivals.result(
        hooks.walk(WalkedPacket.of(packet, "")),
        list -> hooks.walk(WalkedPacket.of(packet, list)),
        new LinkedHashSet<>(rules.unreadable()));
  }
}
