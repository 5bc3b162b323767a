package dev.portolan.nftables.table;

import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.nftables.Batch;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.Nftables.TableInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one name, one per family, kept in the kernel as a backend wants them.
 *
 * <p>{@link #reconcile} compares whole tables with the kernel's and writes the difference; {@link
 * #change} writes what leads from one part of the tables to another, without reading. Each takes
 * effect in one transaction for both families. After a failure the kernel's state counts as unknown
 * until tables are reconciled, and after several they are recreated.
 */
public final class Tables implements AutoCloseable {
  private static final String UNKNOWN_CHAIN = "no-such-chain";
  private static final int TRIES = 5;
  private static final int FAILURES_BEFORE_REBUILD = 3;

  /** From this many new services on, they are written in parts. */
  private static final int MANY = 1_000;

  /** How many elements a part has. */
  private static final int PART = 8_192;

  private final String name;
  private final Optional<Path> namespace;
  private final SharedSets shared;
  private final boolean force;
  private final Nftables kernel;
  private final Map<IpFamily, FamilyTable> tables = new EnumMap<>(IpFamily.class);
  private final List<TableInfo> foreign;
  private @Nullable DriftWatch watch;
  private boolean started;
  private int failures;

  /**
   * Opens a connection to the kernel; says what is missing where it cannot.
   *
   * @param force whether tables of that name that another program made are taken over or removed;
   *     otherwise they are refused
   */
  public Tables(String name, Optional<Path> namespace, SharedSets shared, boolean force) {
    this.name = name;
    this.namespace = namespace;
    this.shared = shared;
    this.force = force;
    for (IpFamily family : IpFamily.values()) {
      tables.put(family, new FamilyTable(family, shared));
    }
    kernel = Requirements.connect(namespace);
    try {
      foreign = TableMark.foreign(kernel, name);
      if (!force) {
        TableMark.check(foreign);
      }
    } catch (BackendException | NetlinkException e) {
      kernel.close();
      throw e instanceof BackendException ? e : unavailable((NetlinkException) e);
    }
  }

  /**
   * The tables of this name that another program made, as they were when this was opened. The first
   * reconciliation puts ours in their place, in the same transaction.
   */
  public List<TableInfo> foreign() {
    return foreign;
  }

  /** Whether the kernel took all that it was given, so that {@link #change} may be used. */
  public boolean areKnown() {
    return started && failures == 0;
  }

  /**
   * Makes the kernel's tables equal to the wanted ones; returns what differed. A family without a
   * wanted table should have none.
   *
   * @param wanted the tables, given what the kernel has; it is asked again if another program
   *     changed the rules meanwhile
   */
  public Audit reconcile(Function<KernelTables, Map<IpFamily, TableState>> wanted) {
    try {
      // What a change left for later does not count as drift.
      tidy();
    } catch (BackendException e) {
      // Then it is compared like the rest.
    }
    return attempt(() -> {
      for (int i = 0; ; i++) {
        try {
          return reconcileOnce(wanted);
        } catch (NetlinkException e) {
          if (e.errno() != Errno.ERESTART || i == TRIES) {
            throw e;
          }
        }
      }
    });
  }

  /** The generation ensures that the rules did not change between reading and writing. */
  private Audit reconcileOnce(Function<KernelTables, Map<IpFamily, TableState>> wanted) {
    int generation = kernel.generation();
    if (!started && !force) {
      TableMark.check(TableMark.foreign(kernel, name));
    }
    KernelTables there = new KernelTables(kernel, name);
    Map<IpFamily, TableState> states = wanted.apply(there);
    Batch batch = new Batch(name);
    int differences = 0;
    int missing = 0;
    for (IpFamily family : IpFamily.values()) {
      TableState state = states.get(family);
      if (state == null) {
        differences += remove(batch, family);
        continue;
      }
      Reconciliation reconciliation = new Reconciliation(there, state, shared);
      if (failures < FAILURES_BEFORE_REBUILD) {
        reconciliation.repair(batch);
      } else {
        reconciliation.rebuild(batch);
      }
      differences += reconciliation.differences();
      missing += reconciliation.missing();
      FamilyTable table = table(family);
      table.reset(state);
      table.removeLater(reconciliation.unwantedChains(), reconciliation.unwantedSets());
    }
    try {
      commit(batch, generation);
    } catch (NetlinkException e) {
      if (e.errno() == Errno.ERESTART) {
        throw e;
      }
      failures++;
      throw rejected(e).leaving(missing);
    }
    started = true;
    return new Audit(differences, missing, "");
  }

  /** The table of each family that the node serves. */
  public static Map<IpFamily, TableState> ofFamilies(
      NodeFacts facts, Function<IpFamily, TableState> table) {
    Map<IpFamily, TableState> states = new EnumMap<>(IpFamily.class);
    for (IpFamily family : facts.families()) {
      states.put(family, table.apply(family));
    }
    return states;
  }

  /** Adds to a table what a service wants of it; nothing for a service that is not there. */
  public interface ServiceLayer {
    void lay(TableState table, @Nullable NodeService service, NodeFacts facts);
  }

  /** The table of a family without any service. */
  public interface Frame {
    TableState of(IpFamily family, NodeFacts facts);
  }

  /** Writes what the changed services need, where the node's facts are the same. */
  public void change(NodeChange change, ServiceLayer layer) {
    change(change, (family, facts) -> new TableState(family), layer);
  }

  /**
   * Writes what leads from one frame to another, and what the changed services need; of each the
   * old side is laid before the new one. The families are the same.
   */
  public void change(NodeChange change, Frame frame, ServiceLayer layer) {
    NodeFacts old = change.before().facts();
    NodeFacts now = change.after().facts();
    Map<IpFamily, TableState> before = ofFamilies(now, family -> frame.of(family, old));
    Map<IpFamily, TableState> after = ofFamilies(now, family -> frame.of(family, now));
    boolean grows =
        change.services().size() > MANY
            && change.services().stream().allMatch(service -> service.before() == null);
    Map<IpFamily, TableState> services = grows ? ofFamilies(now, TableState::new) : after;
    before.forEach((family, table) -> {
      TableState wanted = Objects.requireNonNull(services.get(family));
      for (ServiceChange service : change.services()) {
        layer.lay(table, service.before(), old);
        layer.lay(wanted, service.after(), now);
      }
    });
    if (grows) {
      attempt(() -> writeMuch(() -> addInParts(services, before, after)));
    } else {
      change(before, after);
    }
  }

  /**
   * Adds many services, with a transaction for each part of them, and one for all that leads to
   * them; returns how many.
   */
  private int addInParts(
      Map<IpFamily, TableState> services,
      Map<IpFamily, TableState> before,
      Map<IpFamily, TableState> after) {
    try (Commits commits = new Commits(kernel)) {
      services.forEach((family, added) -> {
        for (TableState part : added.inParts(PART, Objects.requireNonNull(after.get(family)))) {
          Batch batch = new Batch(name);
          table(family).change(batch, new TableState(family), part);
          commits.add(batch);
        }
      });
      commits.add(difference(before, after));
      return commits.count();
    }
  }

  /**
   * Writes what leads from one part of the tables to another.
   *
   * @param before that part as it was written
   * @param after the same part as it should be; of the same families
   */
  void change(Map<IpFamily, TableState> before, Map<IpFamily, TableState> after) {
    attempt(() -> {
      commit(difference(before, after), 0);
      return 0;
    });
  }

  private Batch difference(Map<IpFamily, TableState> before, Map<IpFamily, TableState> after) {
    Batch batch = new Batch(name);
    after.forEach((family, now) ->
        table(family).change(batch, Objects.requireNonNull(before.get(family)), now));
    return batch;
  }

  /** Removes what the last change left over. */
  public void tidy() {
    if (failures > 0 || tables.values().stream().noneMatch(FamilyTable::hasLeftovers)) {
      return;
    }
    attempt(() -> {
      Batch batch = new Batch(name);
      tables.forEach((family, table) -> {
        if (table.hasLeftovers()) {
          table.change(batch, new TableState(family), new TableState(family));
        }
      });
      kernel.commit(batch);
      return 0;
    });
  }

  /**
   * What a reconciliation would change, one line per object: a sign, {@code +}, {@code -} or {@code
   * ~}, and the object. Nothing is written.
   */
  public List<String> preview(Function<KernelTables, Map<IpFamily, TableState>> wanted) {
    List<String> lines = new ArrayList<>();
    try {
      KernelTables there = new KernelTables(kernel, name);
      Map<IpFamily, TableState> states = wanted.apply(there);
      for (IpFamily family : IpFamily.values()) {
        TableState state = states.get(family);
        if (state != null) {
          Reconciliation.describing(there, state, shared, lines::add).repair(new Batch(name));
        } else {
          there.table(family).ifPresent(table -> lines.add("- " + table));
        }
      }
      return lines;
    } catch (NetlinkException e) {
      throw rejected(e);
    }
  }

  /**
   * The parts of these tables that this kernel refuses; empty if it takes all of them. They are
   * sent in a transaction that ends with an operation that must fail, so that the kernel checks all
   * of it and keeps none.
   */
  public static Optional<String> refusal(
      String name, Optional<Path> namespace, SharedSets shared, Iterable<TableState> wanted) {
    String last = "delete chain " + UNKNOWN_CHAIN;
    Batch batch = new Batch(name);
    try (Nftables kernel = Requirements.connect(namespace)) {
      for (TableState state : wanted) {
        new Reconciliation(new KernelTables(kernel, name), state, shared).rebuild(batch);
      }
      kernel.commit(batch.deleteChain(UNKNOWN_CHAIN));
    } catch (NetlinkException e) {
      String sentence = String.valueOf(e.getMessage());
      return sentence.contains(last) ? Optional.empty() : Optional.of(sentence);
    }
    throw new IllegalStateException("the kernel has a chain " + UNKNOWN_CHAIN);
  }

  /** Whether the kernel has none of these tables. */
  public boolean areMissing() {
    try {
      KernelTables there = new KernelTables(kernel, name);
      for (IpFamily family : IpFamily.values()) {
        if (there.table(family).isPresent()) {
          return false;
        }
      }
      return true;
    } catch (NetlinkException e) {
      throw unavailable(e);
    }
  }

  /** Removes the tables. */
  public void remove() {
    attempt(() -> {
      Batch batch = new Batch(name);
      for (IpFamily family : IpFamily.values()) {
        remove(batch, family);
      }
      kernel.commit(batch);
      return 0;
    });
  }

  /** Reports when another program changes these tables. */
  public Backend.Watch watch(Consumer<String> suspicions) {
    try {
      DriftWatch begun = new DriftWatch(name, namespace, kernel.port(), suspicions);
      watch = begun;
      return () -> {
        watch = null;
        begun.close();
      };
    } catch (NetlinkException e) {
      throw unavailable(e);
    }
  }

  @Override
  public void close() {
    kernel.close();
  }

  /** Removes the table of a family; returns how many there were. */
  private int remove(Batch batch, IpFamily family) {
    table(family).forget();
    AddressFamily own = FamilyTable.netlink(family);
    if (!kernel.tables(own).contains(name)) {
      return 0;
    }
    batch.family(own).deleteTable();
    return 1;
  }

  private void commit(Batch batch, int generation) {
    if (batch.isLarge()) {
      writeMuch(() -> {
        kernel.commit(batch, generation);
        return 1;
      });
    } else {
      kernel.commit(batch, generation);
    }
  }

  /** Pauses drift notifications during a large write; returns how many transactions it took. */
  private int writeMuch(IntSupplier write) {
    return watch == null ? write.getAsInt() : watch.pause(kernel, write);
  }

  /** Does something to the kernel, and counts how often that failed in a row. */
  private <R> R attempt(Supplier<R> work) {
    try {
      R result = work.get();
      failures = 0;
      return result;
    } catch (NetlinkException e) {
      failures++;
      throw rejected(e);
    }
  }

  private FamilyTable table(IpFamily family) {
    return Objects.requireNonNull(tables.get(family));
  }

  private static BackendException rejected(NetlinkException e) {
    return new BackendException(ErrorCode.RULES_REJECTED, "nftables: " + e.getMessage(), e);
  }

  private static BackendException unavailable(NetlinkException e) {
    return new BackendException("nftables: " + e.getMessage(), e);
  }
}
