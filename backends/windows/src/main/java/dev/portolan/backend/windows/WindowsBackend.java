package dev.portolan.backend.windows;

import dev.portolan.backend.windows.BalancerRefusal.Change;
import dev.portolan.backend.windows.HnsEndpoints.Resolved;
import dev.portolan.backend.windows.hcn.ComputeNetwork;
import dev.portolan.backend.windows.hcn.HcnCalls;
import dev.portolan.backend.windows.hcn.HcnEndpoint;
import dev.portolan.backend.windows.hcn.HcnException;
import dev.portolan.backend.windows.hcn.HcnFailure;
import dev.portolan.backend.windows.hcn.HcnLoadBalancer;
import dev.portolan.backend.windows.hcn.HcnNetwork;
import dev.portolan.backend.windows.hcn.HnsVersion;
import dev.portolan.backend.windows.hcn.HostNetworks;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.Upkeep;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.node.ServicePort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Programs a node's decisions into load balancers of the Host Network Service.
 *
 * <p>A full sync, one after a failure, and one after the node's facts or its network changed read
 * everything that HNS has and write the difference; what is ours is known by its identifier ({@link
 * OwnIds}). Every other sync asks HNS for its network, and writes what the changed services need.
 *
 * <p>HNS has no transactions: each call is done or refused on its own. What is refused is reported
 * when all the rest is done, and leads to a comparison.
 */
public final class WindowsBackend implements Backend {
  private static final Upkeep UPKEEP = new Upkeep(Duration.ofMinutes(1), Duration.ofSeconds(1));

  /** How many deletions that failed are tried again at once. */
  private static final int STALE_AT_ONCE = 20;

  private final WindowsOptions options;
  private final HostNetworks hns;
  private final HnsVersion version;
  private final IdTable ids;
  private final HnsEndpoints endpoints;
  private final BalancerWriter balancers;
  private WantedBalancers wanted = new WantedBalancers();
  private Optional<HcnNetwork> network = Optional.empty();
  private Set<IpFamily> families = Set.of(IpFamily.values());
  private NodeFacts facts = NodeFacts.unknown("");

  /** Load balancers that name less than they should, with the addresses that HNS did not have. */
  private final Map<UUID, Set<Ip>> waiting = new HashMap<>();

  /** What could not be deleted. */
  private final Map<UUID, Stale> stale = new LinkedHashMap<>();

  /** Read by other threads. */
  private final Map<BalancerRefusal, Long> refusals = new ConcurrentHashMap<>();

  private boolean failed;

  /** Something that could not be deleted, and how to try it again. */
  private record Stale(String sentence, Runnable delete) {}

  /** Opens HNS, and makes sure that it can do what the options ask for; says what is missing. */
  public WindowsBackend(WindowsOptions options) {
    this(options, new ComputeNetwork(), HostMac::of);
  }

  WindowsBackend(WindowsOptions options, HcnCalls calls, Function<Ip, Optional<String>> macs) {
    this.options = options;
    if (options.network().isEmpty()) {
      throw new BackendException(
          ErrorCode.CONFIGURATION,
          "the network of HNS is not known; set winkernel.networkName, --network-name or the"
              + " environment variable KUBE_NETWORK");
    }
    hns = new HostNetworks(calls);
    version = attempt(hns::version);
    if (!version.hasApi()) {
      throw new BackendException(
          ErrorCode.HOST,
          "HNS "
              + version
              + " has no version 2 of its API; Windows Server 2019 is the oldest that works");
    }
    if (options.dsr() && !version.hasDirectServerReturn()) {
      throw new BackendException(
          ErrorCode.HOST,
          "HNS "
              + version
              + " has no direct server return; set winkernel.enableDSR to false, or update"
              + " Windows");
    }
    ids = new IdTable(options.ids());
    endpoints = new HnsEndpoints(hns, options, ids, macs);
    balancers = new BalancerWriter(hns, ids, version.canModify());
  }

  /** The version of HNS. */
  public HnsVersion version() {
    return version;
  }

  /** How often HNS refused to make, change or delete a load balancer. */
  public Map<BalancerRefusal, Long> refusals() {
    return Map.copyOf(refusals);
  }

  /** What of another proxy's was replaced, in sentences. */
  public List<String> replaced() {
    return balancers.replaced();
  }

  @Override
  public void sync(NodeChange change) {
    int _ =
        work(() -> {
          HcnNetwork now = requireNetwork();
          boolean compare = failed || change.isFull() || change.factsChanged();
          return compare || !network.equals(Optional.of(now))
              ? reconcile(change.after(), now)
              : write(change, now);
        });
  }

  /**
   * Looks whether HNS still has what was written; to read everything would take it long. Whatever
   * else became different is found by the next full sync.
   */
  @Override
  public Audit audit(NodeImage applied) {
    HcnNetwork before = network.orElse(null);
    int repaired =
        work(() -> {
          HcnNetwork now = requireNetwork();
          boolean there =
              now.equals(before) && balancers.areThere(stale.keySet()) && endpoints.areThere();
          return there ? 0 : reconcile(applied, now);
        });
    boolean another = !network.equals(Optional.ofNullable(before));
    return repaired == 0
        ? Audit.CLEAN
        : new Audit(repaired, another ? "network " + options.network() + " was made again" : "");
  }

  /** Tries again what could not be deleted, and looks for pods that HNS did not know yet. */
  @Override
  public void tidy() {
    endpoints.expire();
    balancers.expire();
    int _ =
        attempt(() -> {
          WindowsProblems problems = new WindowsProblems();
          deleteStale();
          Set<UUID> incomplete = Set.copyOf(waiting.keySet());
          if (!incomplete.isEmpty()) {
            apply(incomplete, problems);
          }
          stale.values().forEach(one -> problems.add(ErrorCode.RULES_REJECTED, one.sentence()));
          waiting.forEach(
              (id, addresses) -> problems.add(ErrorCode.HOST, waitingFor(id, addresses)));
          problems.check();
          return 0;
        });
  }

  private String waitingFor(UUID id, Set<Ip> addresses) {
    return "%s runs on this node, but HNS has no endpoint with that address yet, which the CNI plugin makes; %s does without it"
        .formatted(
            String.join(", ", new TreeSet<>(addresses).stream().map(Ip::toString).toList()),
            wanted.find(id));
  }

  @Override
  public boolean isBlank() {
    return attempt(() -> hns.loadBalancerIds().stream().noneMatch(id -> ids.ours(id).isPresent()));
  }

  @Override
  public Upkeep upkeep() {
    return UPKEEP;
  }

  @Override
  public Optional<String> shortfall(ServicePort port) {
    return WindowsShortfall.of(port, version, families, facts);
  }

  /** Deletes the load balancers and endpoints that are ours. */
  @Override
  public void cleanup() {
    int _ =
        work(() -> {
          WindowsProblems problems = new WindowsProblems();
          wanted = new WantedBalancers();
          waiting.clear();
          Set<UUID> _ = balancers.read(_ -> false);
          balancers.ids().forEach(id -> delete(id));
          hns.network(options.network())
              .ifPresent(there -> {
                endpoints.readAll(there);
                delete(endpoints.all());
              });
          stale.values().forEach(one -> problems.add(ErrorCode.RULES_REJECTED, one.sentence()));
          network = Optional.empty();
          problems.check();
          return 0;
        });
  }

  /**
   * What a sync to {@code image} would change, one line per load balancer: a sign, {@code +},
   * {@code -} or {@code ~}, and what it is for. Nothing is written.
   */
  public List<String> preview(NodeImage image) {
    return attempt(() -> {
      HcnNetwork now = requireNetwork();
      WantedBalancers planned = new WantedBalancers();
      BalancerPlan plan = plan(now, image.facts());
      image.services().forEach(service -> planned.add(plan.of(service)));
      BalancerPreview preview = new BalancerPreview(options, hns, ids, now);
      return preview.lines(planned);
    });
  }

  private BalancerPlan plan(HcnNetwork now, NodeFacts facts) {
    return new BalancerPlan(options, version, now, facts);
  }

  /** The network; an overlay gets some time at the start to learn where other nodes are. */
  private HcnNetwork requireNetwork() {
    HcnNetwork found = find();
    boolean starts = network.isEmpty() && found.isOverlay();
    long deadline = System.nanoTime() + options.subnetWait().toNanos();
    while (starts && found.subnets().isEmpty() && System.nanoTime() < deadline) {
      try {
        Thread.sleep(Duration.ofSeconds(1));
      } catch (InterruptedException e) {
        throw BackendException.of(e);
      }
      found = find();
    }
    return found;
  }

  private HcnNetwork find() {
    return hns.network(options.network())
        .orElseThrow(() ->
            new BackendException(
                ErrorCode.HOST,
                "HNS has no network "
                    + options.network()
                    + (network.isEmpty() ? "" : " any more")
                    + ", which the CNI plugin makes; it is tried again; Get-HnsNetwork lists the"
                    + " networks, and winkernel.networkName or --network-name chooses another"));
  }

  /** Compares everything with HNS, and writes what differs; returns how much that was. */
  private int reconcile(NodeImage image, HcnNetwork now) {
    WindowsProblems problems = new WindowsProblems();
    BalancerPlan plan = plan(now, image.facts());
    wanted = new WantedBalancers();
    for (NodeService service : image.services()) {
      wanted.add(plan.of(service));
    }
    waiting.clear();
    stale.clear();
    network = Optional.of(now);
    facts = image.facts();
    families = BalancerPlan.families(version, now, facts);
    endpoints.read(now, image.facts());
    Set<UUID> there = balancers.read(endpoints::isGone);
    there.addAll(endpoints.ids());
    ids.retain(there);
    for (HcnEndpoint moved : endpoints.moved(wanted)) {
      balancers.using(moved.id()).forEach(id -> delete(id));
      delete(List.of(moved));
    }
    Set<UUID> touched = new HashSet<>(wanted.ids());
    touched.addAll(balancers.ids());
    apply(touched, problems);
    Set<HcnEndpoint> unneeded = endpoints.unneeded(wanted);
    delete(unneeded);
    problems.check();
    failed = false;
    return balancers.changes() + unneeded.size();
  }

  /** Writes what the changed services need. */
  private int write(NodeChange change, HcnNetwork now) {
    WindowsProblems problems = new WindowsProblems();
    BalancerPlan plan = plan(now, change.after().facts());
    Set<UUID> touched = new HashSet<>();
    Set<Ip> released = new HashSet<>();
    List<Balancer> added = new ArrayList<>();
    for (ServiceChange service : change.services()) {
      List<Balancer> old = plan.of(service.before());
      List<Balancer> is = plan.of(service.after());
      old.forEach(balancer -> released.addAll(WantedBalancers.elsewhere(balancer)));
      wanted.remove(old);
      added.addAll(is);
      old.forEach(balancer -> touched.add(balancer.id()));
      is.forEach(balancer -> touched.add(balancer.id()));
    }
    wanted.add(added);
    deleteStale();
    apply(touched, problems);
    delete(endpoints.unneeded(wanted, released));
    problems.check();
    return balancers.changes();
  }

  /**
   * Makes HNS have these load balancers as they are wanted. What is not wanted goes first, because
   * what comes may need its address.
   */
  private void apply(Set<UUID> touched, WindowsProblems problems) {
    List<Balancer> set = new ArrayList<>();
    for (UUID id : touched) {
      Balancer balancer = wanted.find(id);
      if (balancer == null) {
        waiting.remove(id);
        delete(id);
      } else {
        set.add(balancer);
      }
    }
    set.forEach(balancer -> put(balancer, problems));
  }

  private void put(Balancer balancer, WindowsProblems problems) {
    Change change = balancers.find(balancer.id()).isPresent() ? Change.UPDATE : Change.CREATE;
    try {
      attempt(balancer, problems);
    } catch (HcnException e) {
      count(BalancerRefusal.of(change, balancer.family(), balancer.kind(), e.failure()));
      problems.add("cannot write the load balancer of " + balancer, e);
    }
  }

  /** An endpoint that HNS does not know any more was replaced by one with the same address. */
  private void attempt(Balancer balancer, WindowsProblems problems) {
    try {
      write(balancer, problems);
    } catch (HcnException e) {
      if (e.failure() != HcnFailure.ENDPOINT_NOT_FOUND) {
        throw e;
      }
      endpoints.reread();
      write(balancer, problems);
    }
  }

  private void write(Balancer balancer, WindowsProblems problems) {
    Resolved resolved = endpoints.resolve(balancer, problems);
    if (resolved.missing().isEmpty()) {
      waiting.remove(balancer.id());
    } else {
      waiting.put(balancer.id(), resolved.missing());
    }
    if (resolved.endpoints().isEmpty()) {
      delete(balancer.id());
    } else {
      balancers.put(balancer.with(resolved.endpoints()));
      stale.remove(balancer.id());
    }
  }

  private void count(BalancerRefusal refusal) {
    refusals.merge(refusal, 1L, Long::sum);
  }

  private void delete(UUID id) {
    Optional<HcnLoadBalancer> there = balancers.find(id);
    try {
      balancers.delete(id);
      stale.remove(id);
    } catch (HcnException e) {
      there.ifPresent(one ->
          count(
              BalancerRefusal.of(Change.DELETE, one.family(), BalancerKind.of(one), e.failure())));
      remember(
          id, "cannot delete load balancer " + ids.theirs(id), e, () -> balancers.deleteAgain(id));
    }
  }

  private void delete(Collection<HcnEndpoint> unneeded) {
    for (HcnEndpoint endpoint : unneeded) {
      try {
        endpoints.delete(endpoint);
        stale.remove(endpoint.id());
      } catch (HcnException e) {
        remember(
            endpoint.id(),
            "cannot delete endpoint " + endpoint.id() + " of " + endpoint.addresses(),
            e,
            () -> {
              if (endpoint.addresses().stream().noneMatch(wanted::uses)) {
                endpoints.delete(endpoint);
              }
            });
      }
    }
  }

  /** What cannot be deleted harms nobody much: it is tried again later, and the rest goes on. */
  private void remember(UUID id, String what, HcnException refused, Runnable again) {
    switch (refused.failure()) {
      case NOT_RUNNING, NETWORK_NOT_FOUND, DENIED -> throw WindowsProblems.failure(refused);
      default ->
          stale.put(
              id, new Stale(what + ": " + refused.getMessage() + "; it is tried again", again));
    }
  }

  /** Tries again to delete some of what could not be deleted. */
  private void deleteStale() {
    for (UUID id : List.copyOf(stale.keySet()).stream().limit(STALE_AT_ONCE).toList()) {
      Stale one = stale.remove(id);
      if (one == null) {
        continue;
      }
      try {
        one.delete().run();
      } catch (HcnException e) {
        // At the end, so that the next ones get their turn.
        stale.put(id, one);
        if (e.failure() == HcnFailure.NOT_RUNNING) {
          throw WindowsProblems.failure(e);
        }
      }
    }
  }

  /** Does something to HNS. After a failure the next sync compares everything. */
  private int work(Supplier<Integer> task) {
    boolean done = false;
    endpoints.expire();
    balancers.expire();
    try {
      int result = attempt(task);
      done = true;
      return result;
    } finally {
      failed |= !done;
    }
  }

  private static <T> T attempt(Supplier<T> call) {
    try {
      return call.get();
    } catch (HcnException e) {
      throw WindowsProblems.failure(e);
    }
  }
}
