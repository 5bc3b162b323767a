package dev.portolan.backend.iptables;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.node.ServicePort;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Our chains of one family.
 *
 * <p>A full sync, one after a failure, and one after the setting changed write everything and
 * remove every service chain that is not needed. Every other one writes the chains of services that
 * changed, and the rules that come or go in shared chains.
 *
 * <p>Chains that a change leaves behind are removed by the next restore: a packet under way may
 * have been sent there just before.
 */
final class FamilyTables implements AutoCloseable {
  /** With more rules than this to add and remove, a shared chain is rather written as a whole. */
  private static final int MOST_EDITS = 100;

  /** The entries that a chain of iptables-legacy has beside its rules. */
  private static final int ENTRIES_PER_CHAIN = 2;

  private final IpFamily family;
  private final IptablesOptions options;
  private final Machine machine;
  private final IptablesCounts.OfFamily counts;
  private final OwnWrites own;

  /** What the last change left over, each with the number of its rules. */
  private final Map<String, Integer> leftovers = new LinkedHashMap<>();

  /** Chains that iptables does not print as they are written, with what it prints. */
  private final Map<String, Long> alike = new HashMap<>();

  private @Nullable IptablesPrograms programs;

  /** Only for iptables-legacy, from the first write on. */
  private @Nullable TableSizes sizes;

  /** What a write of ours found changed by others. */
  private final Set<String> changedByOthers = new LinkedHashSet<>();

  private FamilySetting.Ability ability = FamilySetting.Ability.USUAL;
  private @Nullable FamilySetting setting;
  private boolean failed;

  /** What was missing and could not be put back. */
  private List<String> unrepaired = List.of();

  /** The revision that the kernel has; 0 where it has nothing of ours. */
  private long applied;

  private boolean replaced;
  private boolean counting = true;
  private int endpoints;

  FamilyTables(
      IpFamily family,
      IptablesOptions options,
      Machine machine,
      IptablesCounts.OfFamily counts,
      OwnWrites own) {
    this.family = family;
    this.options = options;
    this.machine = machine;
    this.counts = counts;
    this.own = own;
  }

  IpFamily family() {
    return family;
  }

  /**
   * The host's programs; the first call looks for them, and makes sure that the kernel takes part.
   */
  IptablesPrograms programs() {
    IptablesPrograms found = programs;
    if (found == null) {
      found = IptablesPrograms.find(options, family).checked();
      programs = found;
    }
    return found;
  }

  /** Whether the host has programs for this family. */
  boolean hasPrograms() {
    return programs != null;
  }

  /** Whether these are the programs of iptables-legacy. */
  boolean isLegacy() {
    return hasPrograms() && !programs().version().nft();
  }

  /** Whether the kernel has services in chains of our names, regardless of who wrote them. */
  boolean isThere() {
    return KernelRules.read(programs()).hasChain(Chains.NAT, Chains.SERVICES);
  }

  /** Whether something of ours may be in the kernel. */
  boolean isApplied() {
    return applied != 0;
  }

  /** Whether the first write replaced rules of another program in chains of these names. */
  boolean hasReplaced() {
    return replaced;
  }

  /** Makes the kernel equal to the image after {@code change}. */
  void sync(NodeChange change) {
    FamilySetting now = FamilySetting.of(change.after().facts(), family, options, ability);
    if (change.isFull() || failed || !now.equals(setting)) {
      writeAll(change.after());
    } else if (applied == change.before().revision()) {
      writeChange(change, now);
    } else if (applied != change.after().revision()) {
      // This family was written when the other one failed, and so is ahead of the change.
      writeAll(change.after());
    }
  }

  /** What a first sync to {@code image} would change, line by line; nothing is written. */
  List<String> preview(NodeImage image) {
    RulePreview preview = new RulePreview(family);
    KernelRules kernel = new KernelRules();
    programs()
        .save(line -> {
          preview.there(line);
          kernel.accept(line);
        });
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    RestoreWriter writer = RestoreWriter.to(text);
    if (image.facts().families().contains(family)) {
      FamilySetting now =
          FamilySetting.of(image.facts(), family, options, ability(machine.isCounting()));
      Restore.whole(now, image, kernel, hasComments(reachable(image))).write(writer);
    }
    text.toString(StandardCharsets.ISO_8859_1).lines().forEach(preview::wanted);
    return preview.lines();
  }

  private int reachable(NodeImage image) {
    int reachable = 0;
    for (NodeService service : image.services()) {
      reachable += endpoints(service);
    }
    return reachable;
  }

  private FamilySetting.Ability ability(boolean counters) {
    return new FamilySetting.Ability(
        programs().version().isModern(), machine.isLiberal(), counters);
  }

  private void writeAll(NodeImage image) {
    ability = ability(counting && machine.hasCounters());
    FamilySetting now = FamilySetting.of(image.facts(), family, options, ability);
    int reachable = reachable(image);
    KernelRules kernel = KernelRules.read(programs());
    replaced |= !isApplied() && kernel.isForeign();
    Restore restore = Restore.whole(now, image, kernel, hasComments(reachable));
    Attempt attempt = attempt(restore);
    if (now.countInvalid() && attempt.mayHaveFailedFor(RuleText.COUNTING)) {
      // Where the kernel has counters, iptables may still not know how to use them.
      restore = restore.uncounted();
      attempt = attempt(restore);
      if (attempt.result.succeeded()) {
        counting = false;
        ability = ability.uncounted();
      }
    }
    RestoreWriter written = attempt.orThrow();
    if (now.localhostNodePorts()) {
      machine.routeLocalnet();
    }
    renewSizes();
    leftovers.clear();
    counts.wroteAll(written);
    done(image, restore.setting(), reachable);
  }

  private void done(NodeImage image, FamilySetting now, int reachable) {
    applied = image.revision();
    setting = now;
    endpoints = reachable;
    failed = false;
    unrepaired = List.of();
  }

  private void writeChange(NodeChange change, FamilySetting now) {
    NodeImage image = change.after();
    Part old = new Part();
    Part fresh = new Part();
    List<NodeService> changed = new ArrayList<>();
    for (ServiceChange service : change.services()) {
      NodeService before = service.before();
      NodeService after = service.after();
      if (before != null && after != null && hasSameRules(before, after)) {
        continue;
      }
      if (before != null) {
        old.add(now, change.before(), before);
      }
      if (after != null) {
        fresh.add(now, image, after);
        changed.add(after);
      }
    }
    int reachable = endpoints + fresh.endpoints - old.endpoints;
    Map<Shared, Restore.Edit> edits = edits(old, fresh);
    Set<Shared> shared = EnumSet.noneOf(Shared.class);
    edits.forEach((chain, edit) -> {
      if (edit.size() > MOST_EDITS) {
        shared.add(chain);
      }
    });
    edits.keySet().removeAll(shared);
    int entriesBefore = old.entries() + entries(leftovers);
    leftovers.keySet().removeAll(fresh.chains.keySet());
    List<String> unwanted = List.copyOf(leftovers.keySet());
    if (!changed.isEmpty() || !shared.isEmpty() || !edits.isEmpty()) {
      askForSizes();
      RestoreWriter written =
          run(
              Restore.partial(
                  now, image, changed, shared, edits, unwanted, hasComments(reachable)));
      counts.wroteChange(written, fresh.counted, old.counted);
      leftovers.clear();
      old.chains.keySet().removeAll(fresh.chains.keySet());
      leftovers.putAll(old.chains);
      int more = fresh.counted.rules(Chains.FILTER) - old.counted.rules(Chains.FILTER);
      askForSizes(
          Map.of(
              Chains.FILTER,
              more,
              Chains.NAT,
              fresh.entries() + entries(leftovers) - entriesBefore));
    }
    done(image, now, reachable);
  }

  private static Map<Shared, Restore.Edit> edits(Part old, Part fresh) {
    Map<Shared, Restore.Edit> edits = new EnumMap<>(Shared.class);
    for (Shared chain : Shared.values()) {
      LinkedHashMap<String, String> added = new LinkedHashMap<>(fresh.rules(chain));
      Set<String> removed = new LinkedHashSet<>(old.rules(chain).keySet());
      removed.removeAll(added.keySet());
      added.keySet().removeAll(old.rules(chain).keySet());
      if (!added.isEmpty() || !removed.isEmpty()) {
        edits.put(chain, new Restore.Edit(added, removed));
      }
    }
    return edits;
  }

  /** Whether a service differs in nothing that is a rule of this family. */
  private boolean hasSameRules(NodeService before, NodeService after) {
    return before.healthCheckNodePort() == after.healthCheckNodePort()
        && ports(before).equals(ports(after));
  }

  private List<ServicePort> ports(NodeService service) {
    return service.ports().stream().filter(port -> port.family() == family).toList();
  }

  private int endpoints(NodeService service) {
    return ports(service).stream().mapToInt(PortRules::endpoints).sum();
  }

  private boolean hasComments(int reachable) {
    return reachable <= options.largeClusterEndpoints();
  }

  /** The rules of services that changed, before or after. */
  private final class Part {
    final Map<Shared, Map<String, String>> shared = new EnumMap<>(Shared.class);

    /** The services' own chains, each with the number of its rules. */
    final Map<String, Integer> chains = new LinkedHashMap<>();

    final RestoreWriter counted = RestoreWriter.handing(this::count);
    int endpoints;

    private void count(String line) {
      if (line.startsWith("-A ")) {
        chains.computeIfPresent(line.substring(3, line.indexOf(' ', 3)), (_, rules) -> rules + 1);
      }
    }

    void add(FamilySetting now, NodeImage image, NodeService service) {
      endpoints += FamilyTables.this.endpoints(service);
      Restore.forEachPort(
          now,
          image,
          service,
          port -> {
            port.chains().forEach(chain -> chains.put(chain, 0));
            port.shared((chain, rule) -> {
              shared.computeIfAbsent(chain, key -> new LinkedHashMap<>()).put(rule, port.name());
              counted.begin(chain.table());
              counted.rule(chain.chain(), rule);
            });
            counted.begin(Chains.NAT);
            port.own(counted, true);
          });
    }

    /** How many entries these are in table nat. */
    int entries() {
      return counted.rules(Chains.NAT) + ENTRIES_PER_CHAIN * chains.size();
    }

    /** The rules in a shared chain, each with its service port. */
    Map<String, String> rules(Shared chain) {
      return shared.getOrDefault(chain, Map.of());
    }
  }

  /** Removes what the last change left over. */
  void tidy() {
    FamilySetting now = setting;
    if (now != null && !failed && !leftovers.isEmpty()) {
      askForSizes();
      RestoreWriter _ = run(Restore.removal(now, leftovers.keySet()));
      askForSizes(Map.of(Chains.NAT, -entries(leftovers)));
      leftovers.clear();
    }
  }

  private static int entries(Map<String, Integer> chains) {
    return chains.values().stream().mapToInt(rules -> rules + ENTRIES_PER_CHAIN).sum();
  }

  /** Asks how large the tables of iptables-legacy are; others may have changed them. */
  void askForSizes() {
    if (sizes != null) {
      changedByOthers.addAll(sizes.changed());
    }
  }

  private void renewSizes() {
    if (sizes != null) {
      sizes.renew();
    } else if (isLegacy()) {
      sizes = TableSizes.of(family, options.namespace());
    }
  }

  /** The same after a write of ours that added entries to tables. */
  private void askForSizes(Map<String, Integer> written) {
    if (sizes != null) {
      changedByOthers.addAll(sizes.changedBeside(written));
    }
  }

  /** The tables of iptables-legacy that others have changed since this was asked the last time. */
  Set<String> takeChangedByOthers() {
    Set<String> changed = new LinkedHashSet<>(changedByOthers);
    changedByOthers.clear();
    return changed;
  }

  /**
   * What of ours is missing in the kernel, in words.
   *
   * @param comparison empty where it was only a cheap look
   */
  record Findings(List<String> missing, Optional<Comparison> comparison) {}

  /**
   * Looks for what of ours is missing in the kernel.
   *
   * @param thorough whether to compare all rules with those of {@code image}
   */
  Findings look(NodeImage image, boolean thorough) {
    FamilySetting now = setting;
    if (!isApplied() || now == null) {
      return new Findings(List.of(), Optional.empty());
    }
    if (failed && !unrepaired.isEmpty()) {
      // It is written again in any case: a look that is not thorough would not see all of it.
      return new Findings(unrepaired, Optional.empty());
    }
    Optional<Comparison> comparison =
        thorough && !failed && applied == image.revision()
            ? Optional.of(compare(now, image))
            : Optional.empty();
    List<String> missing = new ArrayList<>();
    if (now.localhostNodePorts() && !machine.isLocalnetRouted()) {
      missing.add("route_localnet=1");
    }
    missing.addAll(
        comparison
            .map(found -> found.differences(alike))
            .orElseGet(() -> new Look(programs(), now).missing()));
    return new Findings(missing, comparison);
  }

  /** Returns whether iptables took it. */
  private boolean writeSome(FamilySetting now, Restore restore) {
    Attempt attempt = attempt(restore);
    if (!attempt.result.succeeded()) {
      return false;
    }
    if (now.localhostNodePorts()) {
      machine.routeLocalnet();
    }
    renewSizes();
    counts.wroteChange(attempt.written, RestoreWriter.counting(), RestoreWriter.counting());
    return true;
  }

  private Comparison compare(FamilySetting now, NodeImage image) {
    return new Comparison(programs(), now, image, hasComments(endpoints));
  }

  /**
   * Writes what is missing, or everything where it is not known what, and learns what cannot be
   * compared.
   */
  void repair(NodeImage image, Findings findings) {
    FamilySetting now = setting;
    unrepaired = findings.missing();
    Optional<Restore> some = findings.comparison.map(it -> it.repair(alike));
    if (now == null || some.isEmpty() || some.get().whole() || !writeSome(now, some.get())) {
      writeAll(image);
    }
    unrepaired = List.of();
    if (now != null && findings.comparison.isPresent()) {
      alike.clear();
      alike.putAll(compare(now, image).alike());
    }
  }

  /** Writes the guard of localhost, and only then lets the kernel route what comes to it. */
  void openLocalhost() {
    FamilySetting setting =
        FamilySetting.of(NodeImage.unsynced("").facts(), family, options, ability(false));
    Restore restore = Restore.guard(setting, KernelRules.read(programs()));
    if (restore.guard() || restore.kubeletChain() || !restore.jumps().isEmpty()) {
      RestoreWriter _ = run(restore);
    }
    machine.routeLocalnet();
  }

  /** Removes all of ours, and nothing of others. */
  void cleanup() {
    applied = 0;
    leftovers.clear();
    closeSizes();
    KernelRules kernel = KernelRules.read(programs());
    Removal removal = Removal.of(kernel);
    if (!removal.isEmpty()) {
      IptablesProgram.Result result =
          programs().restore(stream -> removal.write(programs().writer(stream)), own);
      if (!result.succeeded()) {
        throw new BackendException(
            "iptables: cannot remove the chains of " + family + ": " + result.words());
      }
    }
    counts.clear();
  }

  @Override
  public void close() {
    closeSizes();
  }

  private void closeSizes() {
    if (sizes != null) {
      sizes.close();
      sizes = null;
    }
  }

  private RestoreWriter run(Restore restore) {
    return attempt(restore).orThrow();
  }

  private Attempt attempt(Restore restore) {
    RestoreWriter[] writer = {RestoreWriter.counting()};
    IptablesProgram.Result result =
        programs()
            .restore(
                stream -> {
                  writer[0] = programs().writer(stream);
                  restore.write(writer[0]);
                },
                own);
    return new Attempt(restore, result, writer[0]);
  }

  /** One run of iptables-restore, and how it ended. */
  private final class Attempt {
    final Restore restore;
    final IptablesProgram.Result result;
    final RestoreWriter written;

    Attempt(Restore restore, IptablesProgram.Result result, RestoreWriter written) {
      this.restore = restore;
      this.result = result;
      this.written = written;
    }

    /** Whether a line with {@code text} may be why it failed. */
    boolean mayHaveFailedFor(String text) {
      return !result.succeeded()
          && Rejection.line(restore, programs(), result)
              .filter(line -> line.text().contains(text) || line.isCommit())
              .isPresent();
    }

    RestoreWriter orThrow() {
      if (!result.succeeded()) {
        failed = true;
        counts.failed(restore.whole());
        throw Rejection.of(family, restore, programs(), result);
      }
      return written;
    }
  }
}
