package dev.portolan.backend.windows;

import dev.portolan.backend.windows.Balancer.Member;
import dev.portolan.backend.windows.hcn.HcnEndpoint;
import dev.portolan.backend.windows.hcn.HcnNetwork;
import dev.portolan.backend.windows.hcn.HostNetworks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What would have to be written, without writing it. */
final class BalancerPreview {
  private final WindowsOptions options;
  private final HostNetworks hns;
  private final IdTable ids;
  private final HcnNetwork network;
  private final EndpointDirectory directory;

  BalancerPreview(WindowsOptions options, HostNetworks hns, IdTable ids, HcnNetwork network) {
    this.options = options;
    this.hns = hns;
    this.ids = ids;
    this.network = network;
    this.directory = new EndpointDirectory(hns);
  }

  /** One line for each load balancer of ours that is not as it should be. */
  List<String> lines(WantedBalancers wanted) {
    directory.read(network.id());
    BalancerWriter there = new BalancerWriter(hns, ids, false);
    Set<UUID> _ = there.read(id -> ids.ours(id).isPresent() && !directory.has(id));
    List<String> lines = new ArrayList<>();
    Set<UUID> served = new HashSet<>();
    wanted.ids().stream()
        .flatMap(id -> Optional.ofNullable(wanted.find(id)).stream())
        .sorted(Comparator.comparing(Balancer::toString))
        .forEach(balancer -> {
          Set<UUID> endpoints = endpoints(balancer);
          if (!endpoints.isEmpty()) {
            served.add(balancer.id());
            there
                .difference(balancer.with(endpoints))
                .ifPresent(sign -> lines.add(sign + " load balancer of " + balancer));
          }
        });
    there.ids().stream()
        .filter(id -> !served.contains(id))
        .sorted()
        .forEach(id -> lines.add("- load balancer " + ids.theirs(id)));
    return lines;
  }

  private Set<UUID> endpoints(Balancer balancer) {
    Set<UUID> endpoints = new HashSet<>();
    if (balancer.kind() == BalancerKind.HEALTH_CHECK) {
      hns.endpoint(options.rootEndpoint()).map(HcnEndpoint::id).ifPresent(endpoints::add);
    }
    for (Member member : balancer.members()) {
      Optional<HcnEndpoint> known = directory.find(member.address());
      if (member.local()) {
        known.filter(one -> !one.remote()).map(HcnEndpoint::id).ifPresent(endpoints::add);
      } else {
        endpoints.add(
            known
                .map(HcnEndpoint::id)
                .orElseGet(() -> ids.theirs(OwnIds.endpoint(network.id(), member.address()))));
      }
    }
    return endpoints;
  }
}
