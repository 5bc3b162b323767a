package dev.portolan.backend.ipvs;

import dev.portolan.backend.ipvs.ServerKey.EndpointKey;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.backend.Upkeep;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.node.ServicePort;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.IpvsOrder;
import dev.portolan.netlink.ipvs.ServerEntry;
import dev.portolan.netlink.ipvs.Timeouts;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Programs a node's decisions into IPVS: a virtual server for every address of a service port, and
 * the addresses on a device of their own, so that the kernel takes packets to them as its own. What
 * IPVS cannot do itself, such as masquerading, is done by a table of nf_tables ({@link IpvsRules}).
 *
 * <p>A full sync, one after a failure, and one after the node's facts changed compare everything
 * with the kernel and write the difference. Every other one writes what the changed services need.
 * IPVS has no transactions: each order is done or refused on its own. What is refused is reported
 * when all the rest is done, and leads to a comparison.
 */
public final class IpvsBackend implements Backend {
  /** Nothing else notices that another program deleted or changed a virtual or real server. */
  private static final Upkeep UPKEEP = new Upkeep(Duration.ofSeconds(5), Duration.ofSeconds(1));

  private final IpvsOptions options;
  private final Clock clock;

  /** Which schedulers beside that of the options the kernel has, as far as it was asked. */
  private final Map<String, Boolean> schedulers = new HashMap<>();

  private final Ipvs ipvs;
  private final ServiceAddresses addresses;
  private final IpvsRules rules;
  private final VsSysctls sysctls;
  private final Drains drains = new Drains();
  private final WatchedState watched = new WatchedState();
  private final ServerTraffic traffic = new ServerTraffic();
  private boolean started;
  private boolean failed;

  /**
   * Opens connections to the kernel, and makes sure that it has IPVS and the scheduler; says what
   * is missing where it does not.
   */
  public IpvsBackend(IpvsOptions options) {
    this(options, Clock.systemUTC());
  }

  IpvsBackend(IpvsOptions options, Clock clock) {
    this.options = options;
    this.clock = clock;
    sysctls = new VsSysctls(options);
    rules = new IpvsRules(options);
    try {
      ipvs = IpvsRequirements.connect(options.namespace());
    } catch (BackendException e) {
      rules.close();
      throw e;
    }
    try {
      IpvsRequirements.check(ipvs, options.scheduler());
      addresses = new ServiceAddresses(options, watched);
    } catch (BackendException | NetlinkException e) {
      ipvs.close();
      rules.close();
      throw e instanceof BackendException known ? known : failure((NetlinkException) e);
    }
  }

  /** Sets what the kernel needs beside virtual servers; returns what was done, in sentences. */
  public List<String> init() {
    IpvsProblems problems = new IpvsProblems();
    sysctls.set(problems);
    problems.check();
    return List.of(
        "IPVS has the scheduler "
            + options.scheduler()
            + ": "
            + String.join(", ", sysctls.lines()));
  }

  @Override
  public void sync(NodeChange change) {
    attempt(() -> {
      if (!started || failed || change.isFull() || change.factsChanged()) {
        return reconcile(change.after());
      }
      return write(change);
    });
  }

  /** Compares everything; an address of the node that came or went is followed, not a repair. */
  @Override
  public Audit audit(NodeImage applied) {
    NodeAddresses before = watched.node();
    int repaired = attempt(() -> reconcile(applied));
    return repaired == 0 || !before.equals(watched.node()) ? Audit.CLEAN : new Audit(repaired, "");
  }

  /** Deletes the draining real servers whose connections are gone, or whose time is up. */
  @Override
  public void tidy() {
    rules.tidy();
    if (drains.keys().isEmpty()) {
      return;
    }
    int _ =
        attempt(() -> {
          List<IpvsOrder> orders = new ArrayList<>();
          int now = now();
          for (ServerKey key : drains.keys()) {
            Map<EndpointKey, Integer> draining = Map.copyOf(drains.of(key));
            for (ServerEntry entry : ipvs.servers(key.service())) {
              EndpointKey endpoint = KernelReading.key(entry.server());
              Integer deadline = draining.get(endpoint);
              if (deadline != null
                  && (!entry.hasConnections() || DrainDeadline.isOver(deadline, now))) {
                orders.add(IpvsOrder.delete(key.service(), entry.server()));
                drains.remove(key, endpoint);
              }
            }
          }
          IpvsProblems problems = new IpvsProblems();
          apply(orders, problems);
          problems.check();
          return 0;
        });
  }

  /**
   * What a sync of a new process to {@code image} would change, one line per object: a sign, {@code
   * +}, {@code -} or {@code ~}, and the object; {@code !} stands before what is in the way. Nothing
   * is written.
   */
  public List<String> preview(NodeImage image) {
    return preview(image, ServerPlan::orders);
  }

  /** The same without what draining takes: what is wrong after {@code image} was applied. */
  public List<String> drift(NodeImage image) {
    return preview(image, ServerPlan::repairs);
  }

  private List<String> preview(NodeImage image, Function<ServerPlan, List<IpvsOrder>> interesting) {
    try {
      IpvsProblems problems = new IpvsProblems();
      KernelReading kernel = KernelReading.of(ipvs, addresses.links());
      IpvsState state = IpvsState.of(image, options, kernel.node(), this::hasScheduler);
      List<String> lines = new ArrayList<>(sysctls.preview());
      interesting.apply(compare(kernel, state, new Drains(), problems)).stream()
          .map(IpvsBackend::line)
          .forEach(lines::add);
      lines.addAll(addresses.preview(kernel, state));
      lines.addAll(rules.preview(image, kernel.node()));
      problems.sentences().forEach(sentence -> lines.add("! " + sentence));
      return lines;
    } catch (NetlinkException e) {
      throw failure(e);
    }
  }

  private static String line(IpvsOrder order) {
    String text = order.toString();
    String sign =
        switch (order.action()) {
          case ADD -> "+";
          case CHANGE -> "~";
          case DELETE -> "-";
        };
    return sign + text.substring(text.indexOf(' '));
  }

  @Override
  public boolean isBlank() {
    try {
      return addresses.links().named(IpvsOptions.DEVICE).isEmpty()
          && KernelReading.own(ipvs.services(), options).isEmpty()
          && rules.areMissing();
    } catch (NetlinkException e) {
      throw failure(e);
    }
  }

  /** The kernel counts for each virtual server, whether or not it is asked. */
  @Override
  public List<TrafficCount> traffic() {
    try {
      return traffic.read(options.namespace());
    } catch (NetlinkException e) {
      throw failure(e);
    }
  }

  @Override
  public Upkeep upkeep() {
    return UPKEEP;
  }

  /** Whether the kernel has a scheduler that some service asks for; found out once. */
  private boolean hasScheduler(String name) {
    return schedulers.computeIfAbsent(
        name,
        unknown -> {
          try {
            IpvsRequirements.check(ipvs, name);
            return true;
          } catch (BackendException e) {
            return false;
          }
        });
  }

  @Override
  public Optional<String> shortfall(ServicePort port) {
    List<String> sentences = new ArrayList<>();
    if (port.balancing().kind().hashes() && !hasScheduler(SchedulerChoice.MAGLEV)) {
      sentences.add(
          "balancing "
              + port.balancing().kind()
              + " needs the scheduler mh, which this kernel does not have, and scheduler "
              + options.scheduler()
              + " is used instead; load the module ip_vs_mh, and restart");
    }
    String elsewhere =
        port.addresses().stream()
            .map(ServiceAddress::address)
            .filter(watched.node()::has)
            .map(Ip::toString)
            .collect(Collectors.joining(", "));
    if (!elsewhere.isEmpty()) {
      sentences.add(
          "another device of this node has "
              + elsewhere
              + " already, and keeps it; if that is not intended, delete it there");
    }
    return sentences.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", sentences));
  }

  @Override
  public boolean usesConntrack() {
    return true;
  }

  @Override
  public Watch watch(Consumer<String> suspicions) {
    try {
      Watch ofServers = new IpvsWatch(options, watched, addresses.port(), suspicions);
      Watch ofRules;
      try {
        ofRules = rules.watch(suspicions);
      } catch (BackendException e) {
        ofServers.close();
        throw e;
      }
      return () -> {
        ofServers.close();
        ofRules.close();
      };
    } catch (NetlinkException e) {
      throw failure(e);
    }
  }

  /** The device goes last: it is the evidence that the virtual servers are ours. */
  @Override
  public void cleanup() {
    int _ =
        attempt(() -> {
          IpvsProblems problems = new IpvsProblems();
          KernelReading kernel = KernelReading.of(ipvs, addresses.links());
          watched.forget();
          drains.clear();
          started = false;
          IpvsState nothing = new IpvsState(options, kernel.node(), this::hasScheduler);
          apply(compare(kernel, nothing, drains, problems).orders(), problems);
          problems.check();
          rules.remove();
          addresses.cleanup(kernel);
          return 0;
        });
  }

  @Override
  public void close() {
    ipvs.close();
    addresses.close();
    rules.close();
  }

  /** Changes the kernel. After a failure the next sync compares everything. */
  private int attempt(Supplier<Integer> work) {
    boolean done = false;
    try {
      int result = work.get();
      done = true;
      return result;
    } catch (NetlinkException e) {
      throw failure(e);
    } finally {
      failed |= !done;
    }
  }

  private static BackendException failure(NetlinkException e) {
    return new BackendException(ErrorCode.RULES_REJECTED, "ipvs: " + e.getMessage(), e);
  }

  /** Compares everything with the kernel, and writes what differs; returns how much that was. */
  private int reconcile(NodeImage image) {
    IpvsProblems problems = new IpvsProblems();
    sysctls.set(problems);
    int apart = problems.count();
    setTimeouts();
    KernelReading kernel = KernelReading.of(ipvs, addresses.links());
    IpvsState state = IpvsState.of(image, options, kernel.node(), this::hasScheduler);
    drains.clear();
    ServerPlan plan = compare(kernel, state, drains, problems);
    watched.expect(kernel.node(), state.servers().keySet());
    traffic.reset(state.servers());
    int planned = problems.count();
    int inRules = rules(() -> rules.reconcile(image, kernel.node()), problems);
    if (inRules == 0) {
      apart += problems.count() - planned;
    }
    apply(plan.orders(), problems);
    int differences = inRules + plan.repairs().size() + addresses.reset(kernel, state, problems);
    started = true;
    problems.check(problems.count() - apart);
    failed = false;
    return differences;
  }

  private ServerPlan compare(
      KernelReading kernel, IpvsState state, Drains draining, IpvsProblems problems) {
    ServerPlan plan = new ServerPlan(draining, now());
    SortedMap<ServerKey, VirtualServer> wanted = state.servers();
    for (ServerKey key : new TreeSet<>(kernel.servers().keySet())) {
      KernelReading.Server there = kernel.server(key);
      if (!wanted.containsKey(key)
          && there.foreign().isEmpty()
          && !options.excludes(key.address())) {
        plan.remove(key);
      }
    }
    wanted.forEach((key, server) -> {
      KernelReading.Server there = kernel.servers().get(key);
      if (there == null) {
        plan.set(server, null, Map.of());
      } else if (there.foreign().isEmpty()) {
        plan.set(server, there.settings(), there.there());
      } else {
        problems.add(
            ErrorCode.FOREIGN_RULES,
            "virtual server "
                + key
                + ", which "
                + server.owner()
                + " needs, belongs to another program: "
                + there.foreign()
                + "; delete it there");
      }
    });
    return plan;
  }

  /** Writes what the changed services need; of each the old side is laid beside the new one. */
  private int write(NodeChange change) {
    IpvsState before = new IpvsState(options, watched.node(), this::hasScheduler);
    IpvsState after = new IpvsState(options, watched.node(), this::hasScheduler);
    for (ServiceChange service : change.services()) {
      before.lay(service.before(), change.before().facts());
      after.lay(service.after(), change.after().facts());
    }
    ServerPlan plan = new ServerPlan(drains, now());
    before
        .servers()
        .forEach((key, old) -> {
          if (!after.servers().containsKey(key)) {
            watched.forget(key);
            traffic.remove(key);
            plan.remove(key);
          }
        });
    after
        .servers()
        .forEach((key, server) -> {
          VirtualServer old = before.servers().get(key);
          plan.set(
              server, old == null ? null : old.settings(), old == null ? Map.of() : known(old));
        });
    IpvsProblems problems = new IpvsProblems();
    int _ =
        rules(
            () -> {
              rules.change(change, watched.node());
              return 0;
            },
            problems);
    apply(plan.orders(), problems);
    addresses.change(before, after, problems);
    watched.expect(after.servers().keySet());
    traffic.set(after.servers());
    if (!problems.sentences().isEmpty()) {
      return reconcile(change.after());
    }
    return 0;
  }

  private Map<EndpointKey, ServerPlan.Known> known(VirtualServer old) {
    Map<EndpointKey, ServerPlan.Known> there = new HashMap<>();
    old.pool()
        .forEach(endpoint ->
            there.put(
                new EndpointKey(endpoint.address(), endpoint.port()),
                ServerPlan.Known.inUse(old.balancing().weight(endpoint))));
    drains
        .of(old.key())
        .forEach((endpoint, deadline) -> there.put(endpoint, ServerPlan.Known.draining(deadline)));
    return there;
  }

  /**
   * Changes the rules, before the virtual servers: how a connection is masqueraded is settled with
   * its first packet.
   */
  private static int rules(Supplier<Integer> work, IpvsProblems problems) {
    try {
      return work.get();
    } catch (BackendException e) {
      problems.add(e.code(), String.valueOf(e.getMessage()));
      return e.leavesRulesMissing() ? 1 : 0;
    }
  }

  /** What is gone already need not be deleted. */
  private void apply(List<IpvsOrder> orders, IpvsProblems problems) {
    for (IpvsOrder.Refusal refusal : ipvs.apply(orders)) {
      boolean gone =
          refusal.order().action() == IpvsOrder.Action.DELETE
              && (refusal.errno() == Ipvs.NO_SUCH_SERVICE || refusal.errno() == Errno.ENOENT);
      if (!gone) {
        problems.add(refusal);
      }
    }
  }

  private void setTimeouts() {
    Timeouts there = ipvs.timeouts();
    if (!options.timeouts().or(there).equals(there)) {
      ipvs.setTimeouts(options.timeouts());
    }
  }

  private int now() {
    return DrainDeadline.now(clock);
  }
}
