package dev.portolan.backend.iptables;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.Upkeep;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.ServicePort;
import dev.portolan.nftables.NftablesMonitor;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Programs a node's decisions into iptables, with chains and rules as kube-proxy has them in its
 * mode iptables.
 *
 * <p>Each family is written by one run of iptables-restore ({@link Restore}): everything at first,
 * after a failure and when something was missing; else only what changed ({@link FamilyTables}). A
 * failure of one family does not keep the other from being written.
 */
public final class IptablesBackend implements Backend {
  /** How many missing things a message names. */
  private static final int MOST_NAMED = 5;

  private final IptablesOptions options;
  private final IptablesCounts counts;
  private final Map<IpFamily, FamilyTables> tables = new EnumMap<>(IpFamily.class);
  private final OwnWrites own = new OwnWrites(System::nanoTime);
  private final LookSchedule schedule = new LookSchedule(System::nanoTime);

  /** Looks for the host's programs; says what is missing where there are none. */
  public IptablesBackend(IptablesOptions options) {
    this.options = options;
    if (options.namespace().isPresent() && !Files.exists(options.namespace().get())) {
      throw new BackendException(
          "iptables: no such network namespace: " + options.namespace().get());
    }
    Machine machine = new Machine(options.namespace());
    counts = new IptablesCounts(machine::packets);
    for (IpFamily family : IpFamily.values()) {
      tables.put(family, new FamilyTables(family, options, machine, counts.of(family), own));
    }
    List<BackendException> missing = failures(List.copyOf(tables.values()), FamilyTables::programs);
    if (missing.size() == tables.size()) {
      throw missing.getFirst();
    }
  }

  @Override
  public synchronized void sync(NodeChange change) {
    Set<IpFamily> served = change.after().facts().families();
    List<BackendException> failures = new ArrayList<>();
    for (FamilyTables family : tables.values()) {
      if (served.contains(family.family())) {
        failures.addAll(failures(List.of(family), it -> it.sync(change)));
      } else if (family.isApplied()) {
        failures.addAll(failures(List.of(family), FamilyTables::cleanup));
      }
    }
    throwWorst(failures);
  }

  /**
   * What a sync of a new process to {@code image} would change, one line per chain or rule: a sign,
   * {@code +} or {@code -}, and the object. Nothing is written. Chains of services that are gone
   * are among them while they wait for the next change.
   */
  public synchronized List<String> preview(NodeImage image) {
    List<String> lines = new ArrayList<>();
    throwWorst(
        failures(
            tables.values().stream().filter(FamilyTables::hasPrograms).toList(),
            family -> lines.addAll(family.preview(image))));
    return lines;
  }

  /**
   * Looks whether our rules are still there, and writes everything again where something is
   * missing. Where another program may have changed our chains, and now and then, all rules are
   * compared; else it looks at the canary chains of every table, at the jumps, and at chains that
   * are never empty.
   */
  @Override
  public synchronized Audit audit(NodeImage applied) {
    Optional<LookSchedule.Hint> hint = schedule.due();
    boolean thorough =
        schedule.isThorough() || hint.filter(LookSchedule.Hint::thorough).isPresent();
    List<String> missing = new ArrayList<>();
    long[] took = {0};
    throwWorst(
        failures(
            List.copyOf(tables.values()),
            family -> {
              long begin = System.nanoTime();
              FamilyTables.Findings found = family.look(applied, thorough);
              took[0] += System.nanoTime() - begin;
              if (!found.missing().isEmpty()) {
                repair(family, applied, found);
                missing.addAll(found.missing());
              }
            }));
    schedule.looked(hint, thorough, took[0]);
    return missing.isEmpty() ? Audit.CLEAN : new Audit(missing.size(), cause(hint, missing));
  }

  private static String cause(Optional<LookSchedule.Hint> hint, List<String> missing) {
    int more = missing.size() - MOST_NAMED;
    return hint.map(LookSchedule.Hint::cause).orElse("a change by another program")
        + ": missing "
        + String.join(", ", missing.subList(0, Math.min(MOST_NAMED, missing.size())))
        + (more > 0 ? " and " + more + " more" : "");
  }

  /**
   * Notices changes by others: of iptables-nft the kernel gives notice, with iptables-legacy tables
   * are asked for their sizes each second, and around each write.
   */
  @Override
  public Watch watch(Consumer<String> suspicions) {
    List<FamilyTables> known = tables.values().stream().filter(FamilyTables::hasPrograms).toList();
    Optional<NftablesMonitor> monitor =
        known.stream().allMatch(FamilyTables::isLegacy)
            ? Optional.empty()
            : Optional.of(new NftablesMonitor(options.namespace()));
    // Notices are read while a sync goes on; reading sizes waits for it.
    Runnable ask = known.stream().anyMatch(FamilyTables::isLegacy) ? this::askForSizes : () -> {};
    return new RuleWatch(monitor, own, schedule, ask, suspicions);
  }

  private synchronized void askForSizes() {
    for (FamilyTables family : tables.values()) {
      family.askForSizes();
      for (String table : family.takeChangedByOthers()) {
        schedule.note(
            "a change of table %s (%s) by another program".formatted(table, family.family()), true);
      }
    }
  }

  private static void repair(FamilyTables family, NodeImage applied, FamilyTables.Findings found) {
    try {
      family.repair(applied, found);
    } catch (BackendException e) {
      throw e.leaving(found.missing().size());
    }
  }

  /** Removes what the last change left over. */
  @Override
  public synchronized void tidy() {
    throwWorst(failures(List.copyOf(tables.values()), FamilyTables::tidy));
  }

  /** Chains of these names serve, whether we wrote them or a kube-proxy. */
  @Override
  public synchronized boolean isBlank() {
    return tables.values().stream()
        .filter(FamilyTables::hasPrograms)
        .noneMatch(FamilyTables::isThere);
  }

  /** What a change leaves over mostly goes with the next one, so there is no haste to tidy. */
  @Override
  public Upkeep upkeep() {
    return new Upkeep(options.lookEvery(), options.lookEvery());
  }

  /**
   * Prepares the host for nodePorts on localhost, for which a later process may lack the privilege:
   * writes the guard, then sets {@code route_localnet}. Idempotent.
   */
  public synchronized void openLocalhost() {
    Objects.requireNonNull(tables.get(IpFamily.IPV4)).openLocalhost();
  }

  @Override
  public Optional<String> shortfall(ServicePort port) {
    return options.dataplane().shortfall(port);
  }

  @Override
  public boolean usesConntrack() {
    return true;
  }

  @Override
  public synchronized void close() {
    tables.values().forEach(FamilyTables::close);
  }

  @Override
  public synchronized void cleanup() {
    throwWorst(
        failures(
            tables.values().stream().filter(FamilyTables::hasPrograms).toList(),
            FamilyTables::cleanup));
  }

  /** Whether chains of a kube-proxy were there before ours; their names are the same. */
  public synchronized boolean tookOver() {
    return tables.values().stream().anyMatch(FamilyTables::hasReplaced);
  }

  /** What was counted. */
  public IptablesCounts counts() {
    return counts;
  }

  /** Which of the two kinds of iptables is in use. */
  public synchronized Variant variant() {
    boolean nft =
        tables.values().stream()
            .filter(FamilyTables::hasPrograms)
            .anyMatch(family -> family.programs().version().nft());
    return nft ? Variant.NFT : Variant.LEGACY;
  }

  /** The programs in use for a family and their version, for people. */
  public synchronized String programs(IpFamily family) {
    return Objects.requireNonNull(tables.get(family)).programs().toString();
  }

  private static List<BackendException> failures(
      List<FamilyTables> families, Consumer<FamilyTables> work) {
    List<BackendException> failures = new ArrayList<>();
    for (FamilyTables family : families) {
      try {
        work.accept(family);
      } catch (BackendException e) {
        failures.add(e);
      }
    }
    return failures;
  }

  /** Throws the first one, or rather the first that leaves rules missing. */
  private static void throwWorst(List<BackendException> failures) {
    if (!failures.isEmpty()) {
      List<BackendException> worstFirst =
          failures.stream()
              .sorted(Comparator.comparing(failure -> !failure.leavesRulesMissing()))
              .toList();
      BackendException worst = worstFirst.getFirst();
      worstFirst.stream().skip(1).forEach(worst::addSuppressed);
      throw worst;
    }
  }
}
