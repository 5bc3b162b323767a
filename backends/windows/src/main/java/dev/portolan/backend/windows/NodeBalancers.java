package dev.portolan.backend.windows;

import dev.portolan.backend.windows.BalancerRefusal.Change;
import dev.portolan.backend.windows.HnsEndpoints.Resolved;
import dev.portolan.backend.windows.hcn.HcnEndpoint;
import dev.portolan.backend.windows.hcn.HcnException;
import dev.portolan.backend.windows.hcn.HcnFailure;
import dev.portolan.backend.windows.hcn.HcnLoadBalancer;
import dev.portolan.backend.windows.hcn.HcnNetwork;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The load balancers of a node: those that its services need, those that HNS has, and what is left
 * to do about the difference.
 */
final class NodeBalancers {
  /** How many addresses a sentence names. */
  private static final int NAMED = 5;

  private final IdTable ids;
  private final HnsEndpoints endpoints;
  private final BalancerWriter balancers;
  private final StaleDeletions stale = new StaleDeletions();
  private WantedBalancers wanted = new WantedBalancers();

  /** Load balancers that name less than they should, with the addresses that HNS did not have. */
  private final Map<UUID, Set<Ip>> waiting = new HashMap<>();

  /** Read by other threads. */
  private final Map<BalancerRefusal, Long> refusals = new ConcurrentHashMap<>();

  NodeBalancers(IdTable ids, HnsEndpoints endpoints, BalancerWriter balancers) {
    this.ids = ids;
    this.endpoints = endpoints;
    this.balancers = balancers;
  }

  /** How often HNS refused to make, change or delete a load balancer. */
  Map<BalancerRefusal, Long> refusals() {
    return Map.copyOf(refusals);
  }

  /** What was read of others may be old. */
  void expire() {
    endpoints.expire();
    balancers.expire();
  }

  /** Whether HNS still has what was written, and the endpoints that it names. */
  boolean areThere() {
    return balancers.areThere(stale.ids()) && endpoints.areThere(balancers.endpoints());
  }

  /** Compares everything with HNS, and writes what differs; returns how much that was. */
  int reconcile(NodeImage image, HcnNetwork network, BalancerPlan plan) {
    WindowsProblems problems = new WindowsProblems();
    wanted = new WantedBalancers();
    for (NodeService service : image.services()) {
      wanted.add(plan.of(service));
    }
    waiting.clear();
    stale.clear();
    endpoints.read(network, image.facts());
    Set<UUID> there = balancers.read(endpoints::isGone);
    there.addAll(endpoints.ids());
    ids.retain(there);
    for (HcnEndpoint moved : endpoints.moved(wanted)) {
      balancers.using(moved.id()).forEach(this::delete);
      delete(List.of(moved));
    }
    Set<UUID> touched = new HashSet<>(wanted.ids());
    touched.addAll(balancers.ids());
    apply(touched, problems);
    Set<HcnEndpoint> unneeded = endpoints.unneeded(wanted);
    delete(unneeded);
    problems.check(problems.count());
    return balancers.changes() + unneeded.size();
  }

  /** Writes what the changed services need; returns how much that was. */
  int write(NodeChange change, BalancerPlan plan) {
    WindowsProblems problems = new WindowsProblems();
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
    stale.retry();
    apply(touched, problems);
    delete(endpoints.unneeded(wanted, released));
    problems.check();
    return balancers.changes();
  }

  /** Tries again what could not be deleted, and looks for pods that HNS did not know yet. */
  void tidy() {
    WindowsProblems problems = new WindowsProblems();
    stale.retry();
    apply(Set.copyOf(waiting.keySet()), problems);
    stale.sentences().forEach(sentence -> problems.add(ErrorCode.RULES_REJECTED, sentence));
    if (!waiting.isEmpty()) {
      problems.add(ErrorCode.HOST, waitingFor());
    }
    problems.check();
  }

  private String waitingFor() {
    Set<Ip> addresses = new TreeSet<>();
    waiting.values().forEach(addresses::addAll);
    String some =
        String.join(", ", addresses.stream().limit(NAMED).map(Ip::toString).toList())
            + (addresses.size() > NAMED ? " and " + (addresses.size() - NAMED) + " more" : "");
    return "HNS has no endpoint yet for "
        + some
        + ", on this node, which the CNI plugin makes; until then load balancers do without";
  }

  /** Deletes everything that is ours. */
  void removeAll(Optional<HcnNetwork> network) {
    wanted = new WantedBalancers();
    waiting.clear();
    Set<UUID> _ = balancers.read(_ -> false);
    balancers.ids().forEach(this::delete);
    network.ifPresent(there -> {
      endpoints.readAll(there);
      delete(endpoints.all());
    });
    WindowsProblems problems = new WindowsProblems();
    stale.sentences().forEach(sentence -> problems.add(ErrorCode.RULES_REJECTED, sentence));
    problems.check();
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
      putWithEndpoints(balancer, problems);
    } catch (HcnException e) {
      count(BalancerRefusal.of(change, balancer.family(), balancer.kind(), e.failure()));
      problems.add("cannot write the load balancer of " + balancer, e);
    }
  }

  /** An endpoint that HNS does not know any more was replaced by one with the same address. */
  private void putWithEndpoints(Balancer balancer, WindowsProblems problems) {
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
      stale.add(id, "load balancer " + ids.theirs(id), e, () -> balancers.deleteAgain(id));
    }
  }

  private void delete(Collection<HcnEndpoint> unneeded) {
    for (HcnEndpoint endpoint : unneeded) {
      try {
        endpoints.delete(endpoint);
        stale.remove(endpoint.id());
      } catch (HcnException e) {
        stale.add(
            endpoint.id(),
            "endpoint " + endpoint.id() + " of " + endpoint.addresses(),
            e,
            () -> {
              if (endpoint.addresses().stream().noneMatch(wanted::uses)) {
                endpoints.delete(endpoint);
              }
            });
      }
    }
  }
}
