package dev.portolan.backend.windows;

import dev.portolan.backend.windows.Balancer.Member;
import dev.portolan.backend.windows.hcn.HcnEndpoint;
import dev.portolan.backend.windows.hcn.HcnException;
import dev.portolan.backend.windows.hcn.HcnFailure;
import dev.portolan.backend.windows.hcn.HcnNetwork;
import dev.portolan.backend.windows.hcn.HostNetworks;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeFacts;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The endpoints of HNS that load balancers name: those of pods of this node, which the CNI plugin
 * makes and which are never touched, and those of addresses elsewhere, which are made here.
 */
final class HnsEndpoints {
  private static final UUID CHOSEN_BY_HNS = new UUID(0, 0);

  private final HostNetworks hns;
  private final WindowsOptions options;
  private final IdTable ids;
  private final Function<Ip, Optional<String>> macs;
  private final EndpointDirectory directory;
  private HcnNetwork network = new HcnNetwork(CHOSEN_BY_HNS, "", "", List.of());
  private Function<IpFamily, Optional<Ip>> nodeIps = _ -> Optional.empty();
  private String hostMac = "";

  /** Whether the directory was refreshed since the last sync began. */
  private boolean fresh;

  /**
   * Nothing is read yet.
   *
   * @param macs the hardware address of the device that has an address
   */
  HnsEndpoints(
      HostNetworks hns, WindowsOptions options, IdTable ids, Function<Ip, Optional<String>> macs) {
    this.hns = hns;
    this.options = options;
    this.ids = ids;
    this.macs = macs;
    this.directory = new EndpointDirectory(hns);
  }

  /** What a load balancer names, as far as HNS has it. */
  record Resolved(Set<UUID> endpoints, Set<Ip> missing) {}

  /** Reads everything there is, for a node and a network. */
  void read(HcnNetwork now, NodeFacts facts) {
    network = now;
    nodeIps = facts::primaryIp;
    directory.read(network.id());
    fresh = true;
    if (network.isOverlay()) {
      requireOverlay();
    }
  }

  /** Reads everything there is in a network, to delete what is ours. */
  void readAll(HcnNetwork now) {
    network = now;
    reread();
  }

  /** A new sync begins: what was read may be old. */
  void expire() {
    fresh = false;
  }

  /** Reads what has come or gone, unless that was done in this sync; says whether anything has. */
  boolean refresh() {
    if (fresh) {
      return false;
    }
    fresh = true;
    return directory.refresh(network.id());
  }

  /** Reads everything again. */
  void reread() {
    directory.read(network.id());
    fresh = true;
  }

  /** Makes sure of what an overlay needs: the address and endpoint that stand for the node. */
  private void requireOverlay() {
    if (!options.overlay()) {
      throw new BackendException(
          ErrorCode.CONFIGURATION,
          "network "
              + network.name()
              + " is an overlay, and the feature gate WinOverlay is off; turn it on");
    }
    Ip source =
        options
            .sourceVip()
            .orElseThrow(() ->
                new BackendException(
                    ErrorCode.CONFIGURATION,
                    "network "
                        + network.name()
                        + " is an overlay, which needs a source VIP; set winkernel.sourceVip or"
                        + " --source-vip to an address of this node's pods that no pod gets"));
    Ip node =
        nodeIp(source.family())
            .orElseThrow(() ->
                new BackendException(
                    ErrorCode.HOST,
                    "the node has no " + source.family() + " address that the overlay could use"));
    hostMac =
        macs.apply(node)
            .orElseThrow(() ->
                new BackendException(
                    ErrorCode.HOST,
                    "no network device of this node has its address "
                        + node
                        + "; set --bind-address to an address that one has"));
    if (directory.find(source).isEmpty()) {
      UUID id = OwnIds.endpoint(network.id(), source);
      try {
        create(
            new HcnEndpoint(
                id, "", network.id(), List.of(source), hostMac, false, Optional.empty()));
      } catch (HcnException e) {
        WindowsProblems problems = new WindowsProblems();
        problems.add("cannot create the endpoint for the source VIP " + source, e);
        problems.check();
      }
    }
  }

  private Optional<Ip> nodeIp(IpFamily family) {
    return nodeIps.apply(family);
  }

  /** What a load balancer is to name; endpoints for addresses elsewhere are made. */
  Resolved resolve(Balancer balancer, WindowsProblems problems) {
    Set<UUID> endpoints = new HashSet<>();
    Set<Ip> missing = new HashSet<>();
    balancer.vipEndpoint().ifPresent(vip -> elsewhere(vip, hostMac, problems));
    if (balancer.kind() == BalancerKind.HEALTH_CHECK) {
      root(problems).ifPresent(endpoints::add);
    }
    for (Member member : balancer.members()) {
      Optional<UUID> found =
          member.local() ? local(member.address()) : elsewhere(member.address(), problems);
      found.ifPresentOrElse(
          endpoints::add,
          () -> {
            if (member.local()) {
              missing.add(member.address());
            }
          });
    }
    return new Resolved(endpoints, missing);
  }

  private Optional<UUID> root(WindowsProblems problems) {
    Optional<HcnEndpoint> root = hns.endpoint(options.rootEndpoint());
    if (root.isEmpty()) {
      problems.add(
          ErrorCode.HOST,
          "health checks cannot be forwarded: HNS has no endpoint "
              + options.rootEndpoint()
              + "; set winkernel.rootHnsEndpointName or --root-hnsendpoint-name");
    }
    return root.map(HcnEndpoint::id);
  }

  private Optional<UUID> local(Ip address) {
    Optional<UUID> found = pod(address);
    return found.isEmpty() && refresh() ? pod(address) : found;
  }

  private Optional<UUID> pod(Ip address) {
    return directory.find(address).filter(one -> !one.remote()).map(HcnEndpoint::id);
  }

  private Optional<UUID> elsewhere(Ip address, WindowsProblems problems) {
    return elsewhere(address, mac(address), problems);
  }

  private Optional<UUID> elsewhere(Ip address, String mac, WindowsProblems problems) {
    Optional<HcnEndpoint> known = directory.find(address);
    if (known.isPresent()) {
      return known.map(HcnEndpoint::id);
    }
    HcnEndpoint wanted =
        new HcnEndpoint(
            OwnIds.endpoint(network.id(), address),
            "",
            network.id(),
            List.of(address),
            mac,
            true,
            provider(address));
    try {
      return Optional.of(create(wanted));
    } catch (HcnException e) {
      if (e.failure() == HcnFailure.ALREADY_EXISTS && refresh()) {
        return directory.find(address).map(HcnEndpoint::id);
      }
      problems.add("cannot create an endpoint for " + address, e);
      return Optional.empty();
    }
  }

  /** In an overlay, the node that an address is on; what it does not know is outside. */
  private Optional<Ip> provider(Ip address) {
    return network.isOverlay()
        ? network.provider(address).or(() -> nodeIp(address.family()))
        : Optional.empty();
  }

  private UUID create(HcnEndpoint wanted) {
    HcnEndpoint made = ids.isUsed() ? hns.create(wanted.as(CHOSEN_BY_HNS)) : named(wanted);
    ids.put(wanted.id(), made.id());
    directory.add(made);
    return made.id();
  }

  private HcnEndpoint named(HcnEndpoint wanted) {
    try {
      return hns.create(wanted);
    } catch (HcnException e) {
      if (e.failure() != HcnFailure.INVALID_ARGUMENT) {
        throw e;
      }
      return hns.create(wanted.as(CHOSEN_BY_HNS));
    }
  }

  /** An address that no device has, for one elsewhere; it is never seen in a packet. */
  static String mac(Ip address) {
    byte[] bytes = address.toBytes();
    return address.family() == IpFamily.IPV4
        ? "02-11-%02X-%02X-%02X-%02X".formatted(bytes[0], bytes[1], bytes[2], bytes[3])
        : "02-11-%02X-%02X-%02X-%02X".formatted(bytes[15], bytes[14], bytes[13], bytes[12]);
  }

  /** What HNS calls all endpoints. */
  Set<UUID> ids() {
    return directory.ids();
  }

  /** Whether those of {@code named} that the network had are still there. */
  boolean areThere(Set<UUID> named) {
    Set<UUID> known = new HashSet<>(named);
    known.retainAll(directory.ids());
    return new HashSet<>(hns.endpointIds(network.id())).containsAll(known);
  }

  /** Our endpoints whose node has changed: they have to be made again. */
  List<HcnEndpoint> moved(WantedBalancers wanted) {
    return ours()
        .filter(endpoint ->
            endpoint.addresses().stream()
                .anyMatch(address ->
                    wanted.uses(address) && !endpoint.provider().equals(provider(address))))
        .toList();
  }

  /** Our endpoints that no load balancer needs, and others' that are in the way of a pod. */
  Set<HcnEndpoint> unneeded(WantedBalancers wanted) {
    Set<HcnEndpoint> unneeded = new HashSet<>(directory.duplicates());
    ours()
        .filter(endpoint -> endpoint.addresses().stream().noneMatch(wanted::uses))
        .forEach(unneeded::add);
    return unneeded;
  }

  /** The same where only these addresses may have become unneeded. */
  Set<HcnEndpoint> unneeded(WantedBalancers wanted, Set<Ip> addresses) {
    return addresses.stream()
        .filter(address -> !wanted.uses(address))
        .flatMap(address -> directory.find(address).stream())
        .filter(endpoint -> endpoint.remote() && isOwn(endpoint.id()))
        .collect(Collectors.toSet());
  }

  private Stream<HcnEndpoint> ours() {
    return directory.remotes().stream().filter(endpoint -> ids.ours(endpoint.id()).isPresent());
  }

  /** Deletes one. */
  void delete(HcnEndpoint endpoint) {
    hns.deleteEndpoint(endpoint.id());
    directory.remove(endpoint);
    ids.ours(endpoint.id()).ifPresent(ids::forget);
  }

  /** Whether an endpoint was one of ours, and HNS does not have it any more. */
  boolean isGone(UUID id) {
    return isOwn(id) && !directory.has(id);
  }

  /** Whether an endpoint is one of ours. */
  boolean isOwn(UUID id) {
    return ids.ours(id).isPresent();
  }

  /** Everything that was made here, whatever it is for. */
  List<HcnEndpoint> all() {
    return directory.all().stream().filter(one -> isOwn(one.id())).toList();
  }
}
