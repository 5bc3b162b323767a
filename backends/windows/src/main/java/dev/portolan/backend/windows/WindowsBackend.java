package dev.portolan.backend.windows;

import dev.portolan.backend.windows.hcn.ComputeNetwork;
import dev.portolan.backend.windows.hcn.HcnCalls;
import dev.portolan.backend.windows.hcn.HcnException;
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
import dev.portolan.core.node.ServicePort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
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

  private final WindowsOptions options;
  private final HostNetworks hns;
  private final HnsVersion version;
  private final IdTable ids;
  private final BalancerWriter writer;
  private final NodeBalancers balancers;
  private Optional<HcnNetwork> network = Optional.empty();
  private Set<IpFamily> families = Set.of(IpFamily.values());
  private NodeFacts facts = NodeFacts.unknown("");
  private boolean failed;

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
    writer = new BalancerWriter(hns, ids, version.canModify());
    balancers = new NodeBalancers(ids, new HnsEndpoints(hns, options, ids, macs), writer);
  }

  /** The version of HNS. */
  public HnsVersion version() {
    return version;
  }

  /** How often HNS refused to make, change or delete a load balancer. */
  public Map<BalancerRefusal, Long> refusals() {
    return balancers.refusals();
  }

  /** What of another proxy's was replaced. */
  public List<String> replaced() {
    return writer.replaced();
  }

  @Override
  public void sync(NodeChange change) {
    int _ =
        work(() -> {
          HcnNetwork now = requireNetwork();
          boolean compare = failed || change.isFull() || change.factsChanged();
          return compare || !network.equals(Optional.of(now))
              ? reconcile(change.after(), now)
              : balancers.write(change, plan(now, change.after().facts()));
        });
  }

  /**
   * Looks whether HNS still has what was written; reading everything would take too long. The next
   * full sync finds other differences.
   */
  @Override
  public Audit audit(NodeImage applied) {
    HcnNetwork before = network.orElse(null);
    int repaired =
        work(() -> {
          HcnNetwork now = requireNetwork();
          boolean there = !failed && now.equals(before) && balancers.areThere();
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
    balancers.expire();
    int _ =
        attempt(() -> {
          balancers.tidy();
          return 0;
        });
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
          balancers.removeAll(hns.network(options.network()));
          network = Optional.empty();
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

  /** What HNS has, ours and others', one line per thing, for a support case. */
  public List<String> dump() {
    return attempt(() -> {
      List<String> lines = new ArrayList<>();
      lines.add("HNS " + version);
      Optional<HcnNetwork> there = hns.network(options.network());
      lines.add(there.map(HcnNetwork::toString).orElse("no network " + options.network()));
      hns.loadBalancerIds().stream()
          .flatMap(id -> hns.loadBalancer(id).stream())
          .forEach(one -> lines.add(mark(one.id()) + one));
      there.stream()
          .flatMap(one -> hns.endpointIds(one.id()).stream())
          .flatMap(id -> hns.endpoint(id).stream())
          .forEach(one -> lines.add(mark(one.id()) + one));
      return lines;
    });
  }

  private String mark(UUID id) {
    return ids.ours(id).isPresent() ? "ours   " : "others ";
  }

  private BalancerPlan plan(HcnNetwork now, NodeFacts of) {
    return new BalancerPlan(options, version, now, of);
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
                        + ", which the CNI plugin makes; Get-HnsNetwork lists the networks, and"
                        + " winkernel.networkName or --network-name chooses another")
                .leaving(network.isPresent() ? 1 : 0));
  }

  private int reconcile(NodeImage image, HcnNetwork now) {
    network = Optional.of(now);
    facts = image.facts();
    families = BalancerPlan.families(version, now, facts);
    int changes = balancers.reconcile(image, now, plan(now, facts));
    failed = false;
    return changes;
  }

  /** Does something to HNS. After a failure the next sync compares everything. */
  private int work(Supplier<Integer> task) {
    boolean done = false;
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
