package dev.portolan.backend.userspace;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.backend.Upkeep;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.node.ServicePort;
import dev.portolan.nftables.Nftables.TableInfo;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Serves a node's services with sockets of this process.
 *
 * <p>Rules of nftables lead to the portals, on an address of the node: the whole {@link
 * NftablesBackend}, given an image in which a portal stands for the endpoints of each pool ({@link
 * PortalImage}). Or clients connect to the portals themselves ({@link ListeningPlaces}).
 *
 * <p>Connections end with the process, unlike those of all other backends.
 */
public final class UserspaceBackend implements Backend {
  /** How many ports a portal tries before it takes any. */
  private static final int TRIES = 4;

  private final UserspaceOptions options;
  private final Optional<NftablesBackend> rules;
  private final PortalSet portals;
  private final Set<String> said = new HashSet<>();

  /** Where portals are that rules lead to, as of the last full sync. */
  private PortalAddresses addresses = new PortalAddresses(Map.of());

  /** What the rules were given last; unused without rules. */
  private NodeImage written = NodeImage.unsynced("");

  private @Nullable NodeChange lastChange;
  private @Nullable NodeChange lastWritten;

  /** Opens a connection to the kernel where rules are needed; no portal is open yet. */
  public UserspaceBackend(UserspaceOptions options) {
    this(options, false);
  }

  /**
   * The same; {@code force} says whether tables of our name are taken over regardless of who made
   * them.
   */
  public UserspaceBackend(UserspaceOptions options, boolean force) {
    this.options = options;
    this.rules =
        switch (options.portals()) {
          case NFTABLES ->
              Optional.of(
                  force
                      ? NftablesBackend.forced(options.nftables())
                      : new NftablesBackend(options.nftables()));
          case LISTEN -> Optional.empty();
        };
    this.portals = new PortalSet(options);
  }

  /** Tables that another program made and that the rules took the place of, in words. */
  public List<String> foreignTables() {
    // Without rules nothing of nftables is loaded, which a system other than Linux cannot.
    return rules.isEmpty()
        ? List.of()
        : rules.get().foreignTables().stream().map(TableInfo::toString).toList();
  }

  /** How many portals are open; any thread may ask after a sync. */
  public int portals() {
    return portals.size();
  }

  /** How many connections of TCP are open; any thread may ask. */
  public int connections() {
    return portals.connections();
  }

  /**
   * What a sync of a new process to {@code image} would change in the rules, one line per object.
   * Portals that are not open count as if they had the port that they prefer.
   */
  public List<String> preview(NodeImage image) {
    return rules
        .map(kernel ->
            kernel.preview(
                expected(
                    image,
                    PortalAddresses.of(image.facts(), options.namespace()),
                    portals::address)))
        .orElse(List.of());
  }

  /** What rules are given for {@code image}, where each portal has the port that it prefers. */
  public static NodeImage expected(NodeImage image) {
    return expected(image, PortalAddresses.of(image.facts()), id -> Optional.empty());
  }

  private static NodeImage expected(
      NodeImage image, PortalAddresses at, Function<PortalId, Optional<InetSocketAddress>> known) {
    PersistentMap<NamespacedName, NodeService> services = PersistentMap.empty();
    for (NodeService service : image.services()) {
      services =
          services.with(
              service.name(),
              PortalImage.of(
                  service,
                  (id, _) -> known.apply(id).or(() -> places(id, at).stream().findFirst())));
    }
    return NodeImage.of(image.revision(), image.facts(), services);
  }

  @Override
  public void sync(NodeChange change) {
    boolean full = change.isFull() || change.factsChanged();
    List<ServiceChange> services = full ? all(change.after()) : change.services();
    if (rules.isPresent()) {
      lead(rules.get(), change, services, full);
    } else {
      services.forEach(service -> listen(service.after(), change.after().facts()));
    }
    services.forEach(service -> close(service, change.after().facts()));
  }

  /** Every service of {@code image} as new, and every other one that has portals as gone. */
  private List<ServiceChange> all(NodeImage image) {
    List<ServiceChange> all = new ArrayList<>();
    Set<NamespacedName> others = new HashSet<>(portals.services());
    for (NodeService service : image.services()) {
      all.add(new ServiceChange(service.name(), null, service));
      others.remove(service.name());
    }
    others.forEach(name -> all.add(new ServiceChange(name, null, null)));
    return all;
  }

  /** Opens portals, and has rules lead to them. */
  private void lead(
      NftablesBackend kernel, NodeChange change, List<ServiceChange> services, boolean full) {
    NodeFacts facts = change.after().facts();
    if (full) {
      addresses = PortalAddresses.of(facts, options.namespace());
    }
    PersistentMap<NamespacedName, NodeService> next =
        full ? PersistentMap.empty() : written.services().base();
    for (ServiceChange service : services) {
      NodeService after = service.after();
      next =
          after == null
              ? next.without(service.name())
              : next.with(
                  service.name(), PortalImage.of(after, (id, port) -> open(id, port, facts)));
    }
    NodeImage image = NodeImage.of(change.after().revision(), facts, next);
    NodeChange toWrite = NodeChange.between(written, image);
    kernel.sync(change.isFull() ? toWrite.inFull() : toWrite);
    written = image;
    lastChange = change;
    lastWritten = toWrite;
  }

  private Optional<InetSocketAddress> open(PortalId id, ServicePort port, NodeFacts facts) {
    List<InetSocketAddress> places = places(id, addresses);
    if (places.isEmpty()) {
      if (said.add(id.family().toString())) {
        options
            .log()
            .accept(
                "this machine has no "
                    + id.family()
                    + " address for portals: services of that family are not served");
      }
      return Optional.empty();
    }
    return Optional.of(portals.serve(id, port, facts, places));
  }

  /** Ports of an address that rules can lead to from everywhere, and from the node itself. */
  private static List<InetSocketAddress> places(PortalId id, PortalAddresses at) {
    List<InetSocketAddress> places = new ArrayList<>();
    at.of(id.family())
        .ifPresent(address -> {
          for (int i = 0; i < TRIES; i++) {
            places.add(Sockets.address(address, id.preferredPort(i)));
          }
          places.add(Sockets.address(address, 0));
        });
    return places;
  }

  /** Opens portals where clients find them, and says where. */
  private void listen(@Nullable NodeService service, NodeFacts facts) {
    if (service == null) {
      return;
    }
    for (ServicePort port : service.ports()) {
      ListeningPlaces.of(port, facts)
          .forEach((id, places) -> {
            Optional<InetSocketAddress> before = portals.address(id);
            InetSocketAddress now = portals.serve(id, port, facts, places);
            if (before.isEmpty() || !before.get().equals(now)) {
              PortalId.Clients.OfAddress wanted = (PortalId.Clients.OfAddress) id.clients();
              options
                  .log()
                  .accept(
                      port.name()
                          + " "
                          + wanted.address()
                          + "/"
                          + port.name().protocol()
                          + (id.isAt(now) ? " is served" : " is served on " + text(now)));
            }
          });
    }
  }

  private static String text(InetSocketAddress address) {
    return Sockets.ip(address.getAddress()).withPort(address.getPort());
  }

  /** Closes the portals that a service does not need any more. */
  private void close(ServiceChange change, NodeFacts facts) {
    Set<PortalId> wanted = new HashSet<>();
    NodeService service = change.after();
    if (service != null) {
      for (ServicePort port : service.ports()) {
        wanted.addAll(
            rules.isPresent()
                ? PortalImage.portals(port)
                : ListeningPlaces.of(port, facts).keySet());
      }
    }
    portals.keep(change.name(), wanted);
  }

  /** Compares the rules; where an address of portals left the machine, they move to another. */
  @Override
  public Audit audit(NodeImage applied) {
    if (rules.isEmpty()) {
      return Audit.CLEAN;
    }
    if (!addresses.renewed(applied.facts(), options.namespace()).equals(addresses)) {
      sync(NodeChange.to(applied));
      return new Audit(1, "a change of this machine's addresses");
    }
    return rules.get().audit(written);
  }

  @Override
  public void tidy() {
    rules.ifPresent(NftablesBackend::tidy);
  }

  @Override
  public boolean isBlank() {
    return rules.map(NftablesBackend::isBlank).orElseGet(() -> portals.size() == 0);
  }

  /** What passed through, and what rules turned away before it came here. */
  @Override
  public List<TrafficCount> traffic() {
    List<TrafficCount> counts = new ArrayList<>(portals.traffic());
    rules.ifPresent(kernel ->
        kernel.traffic().stream()
            .filter(each -> each.kind() != TrafficCount.Kind.CONNECTIONS)
            .forEach(counts::add));
    return counts;
  }

  @Override
  public Upkeep upkeep() {
    return rules.map(NftablesBackend::upkeep).orElse(Upkeep.NONE);
  }

  @Override
  public boolean usesConntrack() {
    return rules.isPresent();
  }

  /** To the kernel, flows lead to portals. */
  @Override
  @SuppressWarnings("ReferenceEquality") // Whether it is the very one; comparing content costs.
  public NodeChange tracked(NodeChange change) {
    NodeChange last = lastWritten;
    return last != null && change == lastChange ? last : NodeChange.to(written);
  }

  @Override
  public Optional<String> shortfall(ServicePort port) {
    return rules.isEmpty() && port.name().protocol() == Protocol.SCTP
        ? Optional.of("backend userspace cannot listen for SCTP, and does not serve it")
        : Optional.empty();
  }

  @Override
  public Watch watch(Consumer<String> suspicions) {
    return rules.map(kernel -> kernel.watch(suspicions)).orElse(() -> {});
  }

  /** Removes the rules and closes the portals; connections that are open go on. */
  @Override
  public void cleanup() {
    rules.ifPresent(NftablesBackend::cleanup);
    written = NodeImage.unsynced("");
    portals.closePortals();
  }

  /**
   * Takes no new connections, lets those that are open go on for some time, and ends the rest. The
   * rules stay, so that new clients are refused at once, until another process serves them.
   */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    portals.refuse();
    int open = portals.connections();
    if (open > 0 && !options.drain().isZero()) {
      options
          .log()
          .accept(
              "waiting up to "
                  + options.drain().toSeconds()
                  + " s for "
                  + (open == 1 ? "1 open connection" : open + " open connections"));
    }
    portals.close();
    rules.ifPresent(NftablesBackend::close);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
