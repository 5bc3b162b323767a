package dev.portolan.backend.iptables;

import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What one run of iptables-restore carries. Writing it again gives the same lines.
 *
 * @param services those whose own chains are written
 * @param shared the shared chains that are written as a whole
 * @param edits what else changes in shared chains
 * @param whole whether everything is written that we have, or only what changed
 * @param canary whether the canary of table mangle is written
 * @param jumps rules to put in front in the kernel's own chains
 * @param kubeletChain whether the kubelet's chain is made
 * @param guard whether the guard of localhost is appended there
 * @param unwanted chains of services to remove, unless they are written too
 * @param comments whether rules of endpoints have comments
 */
record Restore(
    FamilySetting setting,
    NodeImage image,
    Iterable<NodeService> services,
    Set<Shared> shared,
    Map<Shared, Edit> edits,
    boolean whole,
    boolean canary,
    List<Jump> jumps,
    boolean kubeletChain,
    boolean guard,
    Collection<String> unwanted,
    boolean comments) {
  private static final List<String> FIXED_IN_FILTER = List.of(Chains.FORWARD, Chains.CANARY);
  private static final List<String> FIXED_IN_NAT =
      List.of(Chains.POSTROUTING, Chains.MARK_MASQUERADE, Chains.CANARY);

  /**
   * Single rules of a shared chain. The order of services in such a chain means nothing, so new
   * rules come first: what must be last stays last. The order of one service's rules is kept.
   *
   * @param added rules, each with the service port that it is for
   */
  record Edit(SequencedMap<String, String> added, Collection<String> removed) {
    int size() {
      return added.size() + removed.size();
    }
  }

  /** Everything, where {@code kernel} has what it has. */
  static Restore whole(
      FamilySetting setting, NodeImage image, KernelRules kernel, boolean comments) {
    boolean guard = setting.localhostNodePorts();
    Set<String> unwanted = new LinkedHashSet<>();
    Set<String> used = kernel.usedByOthers(Chains.NAT);
    kernel.chains(Chains.NAT).stream()
        .filter(chain -> Chains.isOfService(chain) && !used.contains(chain))
        .sorted()
        .forEach(unwanted::add);
    return new Restore(
        setting,
        image,
        image.services(),
        EnumSet.allOf(Shared.class),
        Map.of(),
        true,
        !kernel.hasChain(Chains.MANGLE, Chains.CANARY),
        Jump.wanted(guard).stream().filter(jump -> !kernel.has(jump)).toList(),
        guard && !kernel.hasChain(Chains.FILTER, Chains.KUBELET_FIREWALL),
        guard && !kernel.isGuarded(),
        unwanted,
        comments);
  }

  /** Only what changed. */
  static Restore partial(
      FamilySetting setting,
      NodeImage image,
      Collection<NodeService> services,
      Set<Shared> shared,
      Map<Shared, Edit> edits,
      Collection<String> unwanted,
      boolean comments) {
    return new Restore(
        setting,
        image,
        List.copyOf(services),
        Set.copyOf(shared),
        Map.copyOf(edits),
        false,
        false,
        List.of(),
        false,
        false,
        List.copyOf(unwanted),
        comments);
  }

  /** Only the guard of localhost, as far as {@code kernel} lacks it. */
  static Restore guard(FamilySetting setting, KernelRules kernel) {
    return new Restore(
        setting,
        NodeImage.unsynced(""),
        List.of(),
        Set.of(),
        Map.of(),
        false,
        false,
        Jump.OF_GUARD.stream().filter(jump -> !kernel.has(jump)).toList(),
        !kernel.hasChain(Chains.FILTER, Chains.KUBELET_FIREWALL),
        !kernel.isGuarded(),
        List.of(),
        false);
  }

  /** Only the removal of chains that nothing uses. */
  static Restore removal(FamilySetting setting, Collection<String> unwanted) {
    return partial(setting, NodeImage.unsynced(""), List.of(), Set.of(), Map.of(), unwanted, false);
  }

  /** The same without counters. */
  Restore uncounted() {
    return new Restore(
        setting.uncounted(),
        image,
        services,
        shared,
        edits,
        whole,
        canary,
        jumps,
        kubeletChain,
        guard,
        unwanted,
        comments);
  }

  /**
   * The same for some chains alone, each named with its table, and for what is missing elsewhere.
   *
   * @param chains of services, or shared ones
   */
  Restore only(Set<String> chains) {
    Set<NodeService> some = new LinkedHashSet<>();
    for (NodeService service : services) {
      forEachPort(
          service,
          port -> {
            if (port.chains().stream().anyMatch(it -> chains.contains(Chains.NAT + " " + it))) {
              some.add(service);
            }
          });
    }
    Set<Shared> wholly = EnumSet.allOf(Shared.class);
    wholly.removeIf(it -> !chains.contains(it.table() + " " + it.chain()));
    return new Restore(
        setting,
        image,
        some,
        wholly,
        Map.of(),
        false,
        canary,
        jumps,
        kubeletChain,
        guard,
        List.of(),
        comments);
  }

  void write(RestoreWriter out) {
    if (canary) {
      out.begin(Chains.MANGLE);
      out.chain(Chains.CANARY);
      out.commit();
    }
    if (whole || guard || kubeletChain || touches(Chains.FILTER)) {
      filter(out);
    }
    if (whole || services.iterator().hasNext() || !unwanted.isEmpty() || touches(Chains.NAT)) {
      nat(out);
    }
    out.flush();
  }

  private boolean touches(String table) {
    return Stream.concat(shared.stream(), edits.keySet().stream())
            .anyMatch(it -> it.table().equals(table))
        || jumps.stream().anyMatch(jump -> jump.table().equals(table));
  }

  private void filter(RestoreWriter out) {
    out.begin(Chains.FILTER);
    shared(Chains.FILTER).forEach(it -> out.chain(it.chain()));
    if (whole) {
      FIXED_IN_FILTER.forEach(out::chain);
    }
    if (kubeletChain) {
      out.chain(Chains.KUBELET_FIREWALL);
    }
    sharedRules(out, Chains.FILTER);
    edit(out, Chains.FILTER);
    if (whole) {
      RuleText.forward(setting).forEach(rule -> out.rule(Chains.FORWARD, rule));
    }
    if (guard) {
      out.rule(Chains.KUBELET_FIREWALL, RuleText.LOCALNET_GUARD);
    }
    jumps(out, Chains.FILTER);
    out.commit();
  }

  private void nat(RestoreWriter out) {
    out.begin(Chains.NAT);
    if (whole) {
      FIXED_IN_NAT.forEach(out::chain);
      RuleText.postrouting(setting.masqueradeBit(), setting.randomFully())
          .forEach(rule -> out.rule(Chains.POSTROUTING, rule));
      out.rule(Chains.MARK_MASQUERADE, RuleText.markMasquerade(setting.masqueradeBit()));
    }
    Set<String> gone = new LinkedHashSet<>(unwanted);
    for (NodeService service : services) {
      forEachPort(
          service,
          port -> {
            port.own(out, comments);
            if (!gone.isEmpty()) {
              port.chains().forEach(gone::remove);
            }
          });
      out.endPart();
    }
    // The ways to the services change together, and after the services' own chains are there.
    shared(Chains.NAT).forEach(it -> out.chain(it.chain()));
    sharedRules(out, Chains.NAT);
    if (shared.contains(Shared.NAT_SERVICES)) {
      RuleText.toNodePorts(setting).forEach(rule -> out.rule(Chains.SERVICES, rule));
    }
    edit(out, Chains.NAT);
    jumps(out, Chains.NAT);
    out.remove(gone, gone);
    out.commit();
  }

  private Stream<Shared> shared(String table) {
    return shared.stream().filter(it -> it.table().equals(table)).sorted();
  }

  private void edit(RestoreWriter out, String table) {
    for (Shared chain : Shared.values()) {
      Edit edit = edits.get(chain);
      if (edit != null && chain.table().equals(table)) {
        // Each goes in front of those before it, so the last one is written first.
        edit.added
            .sequencedEntrySet()
            .reversed()
            .forEach(rule -> {
              out.about(rule.getValue());
              out.insert(chain.chain(), rule.getKey());
            });
        out.about("");
        edit.removed.forEach(rule -> out.line("-D " + chain.chain() + " " + rule));
      }
    }
  }

  /** Writes what all services have in the shared chains of a table that are written. */
  private void sharedRules(RestoreWriter out, String table) {
    if (shared(table).findAny().isPresent()) {
      for (NodeService service : image.services()) {
        forEachPort(
            service,
            port -> {
              out.about(port.name());
              port.shared((chain, rule) -> {
                if (chain.table().equals(table) && shared.contains(chain)) {
                  out.rule(chain.chain(), rule);
                }
              });
              out.about("");
            });
      }
    }
  }

  private void jumps(RestoreWriter out, String table) {
    for (Jump jump : jumps) {
      if (jump.table().equals(table)) {
        out.line("-I " + jump.from() + " " + jump.rule());
      }
    }
  }

  private void forEachPort(NodeService service, Consumer<PortRules> action) {
    forEachPort(setting, image, service, action);
  }

  /** Hands over the ports of a service that are of the setting's family. */
  static void forEachPort(
      FamilySetting setting, NodeImage image, NodeService service, Consumer<PortRules> action) {
    for (ServicePort port : service.ports()) {
      if (port.family() == setting.family()) {
        action.accept(new PortRules(setting, image.facts(), port, service.healthCheckNodePort()));
      }
    }
  }
}
