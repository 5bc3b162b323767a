package dev.portolan.walk.nft;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.IpFamily;
import dev.portolan.nftables.Hook;
import dev.portolan.nftables.TableName;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.HookedRules;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.ServedPlace;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkStep;
import dev.portolan.walk.nft.table.CompiledTable;
import dev.portolan.walk.nft.table.NftDump;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All nftables rules of a node, ours, those of a kube-proxy, and all others: a packet meets them
 * all.
 */
public final class NftRuleset implements Ruleset {
  private final List<CompiledTable> tables = new ArrayList<>();
  private final List<TableName> skipped = new ArrayList<>();
  private final NodeNetwork network;
  private final ServiceTables services;
  private final Map<IpFamily, Map<Hook.Point, HookStages>> hooks = new EnumMap<>(IpFamily.class);

  /** Rules that were read, on a node with that network. */
  public NftRuleset(NftDump dump, NodeNetwork network) {
    this.network = network;
    for (NftDump.Table table : dump.tables()) {
      if (CompiledTable.isCompatibility(table)) {
        skipped.add(table.name());
      } else if (!table.dormant()) {
        tables.add(new CompiledTable(table));
      }
    }
    for (IpFamily family : IpFamily.values()) {
      Map<Hook.Point, HookStages> points = new EnumMap<>(Hook.Point.class);
      for (Hook.Point point : Hook.Point.values()) {
        points.put(point, HookStages.of(tables, family, point));
      }
      hooks.put(family, points);
    }
    services = new ServiceTables(tables);
  }

  /** Reads this process's network namespace, or the one that {@code namespace} stands for. */
  public static NftRuleset read(Optional<Path> namespace) {
    return new NftRuleset(NftDump.read(namespace), NodeNetwork.read(namespace));
  }

  @Override
  public String description() {
    String names =
        services.tables().stream().map(TableName::toString).collect(Collectors.joining(", "));
    return names.isEmpty() ? "nftables" : "nftables, tables " + names;
  }

  /** The interfaces and routes that were read with the rules. */
  public NodeNetwork network() {
    return network;
  }

  /** The tables that have rules for services; empty where nothing here serves any. */
  public List<TableName> serviceTables() {
    return services.tables();
  }

  /** The tables that iptables-nft wrote, which packets are not walked through here. */
  public List<TableName> skippedTables() {
    return List.copyOf(skipped);
  }

  /** The tables whose chains the kernel shows packets to, without those of iptables-nft. */
  public List<TableName> hookedTables() {
    return tables.stream()
        .filter(table -> {
          boolean hooked = false;
          for (CompiledTable.CompiledChain chain : table.chains()) {
            hooked |= chain.base().isPresent();
          }
          return hooked;
        })
        .map(CompiledTable::name)
        .toList();
  }

  /** The rules of one family at the kernel's hooks, for what comes between them. */
  public HookedRules hooks(IpFamily family) {
    return new NftHooks(hooks.getOrDefault(family, Map.of()), network);
  }

  /** Whether there is a table of that name, whose rules are walked through here. */
  public boolean hasTable(String name) {
    return tables.stream().anyMatch(table -> table.name().name().equals(name));
  }

  /** The rule with a handle in a chain; nothing where there was none when the rules were read. */
  public Optional<WalkStep> rule(TableName table, String chain, long handle) {
    return tables.stream()
        .filter(it -> it.name().equals(table))
        .flatMap(it -> it.chain(chain).stream())
        .flatMap(it -> it.rules().stream())
        .filter(it -> it.handle() == handle)
        .findFirst()
        .map(it -> new WalkStep(it.place(), it.text(), ""));
  }

  @Override
  public Set<ServedPlace> served() {
    return services.places();
  }

  @Override
  public Set<Cidr> sources() {
    return SourceBounds.of(tables);
  }

  @Override
  public WalkResult walk(FirstPacket packet) {
    PacketJourney journey =
        new PacketJourney(
            hooks.getOrDefault(packet.destination().family(), Map.of()), network, packet);
    return WalkSummary.of(journey.follow(), journey.journal());
  }
}
