package dev.portolan.backend.nftables;

import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.Upkeep;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.node.ServicePort;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.nftables.Batch;
import dev.portolan.netlink.nftables.Nftables;
import dev.portolan.netlink.nftables.Nftables.TableInfo;
import dev.portolan.netlink.nftables.TableName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Programs a node's decisions into nf_tables.
 *
 * <p>A full sync, one after a failure, and one after the node's facts changed compare the whole
 * table with the kernel's and write the difference ({@link Reconciliation}). Every other one writes
 * what the changed services need ({@link FamilyTable}). Each is one transaction for both families.
 */
public final class NftablesBackend implements Backend {
  private static final Upkeep UPKEEP = new Upkeep(Duration.ofMinutes(5), Duration.ofMillis(200));
  private static final String UNKNOWN_CHAIN = "no-such-chain";
  private static final int TRIES = 5;
  private static final int FAILURES_BEFORE_REBUILD = 3;

  private final NftablesOptions options;
  private final Nftables kernel;
  private final Map<IpFamily, FamilyTable> tables = new EnumMap<>(IpFamily.class);
  private final EndpointOrder order = new EndpointOrder();
  private final List<TableInfo> foreign;
  private final boolean force;
  private boolean started;
  private int failures;

  /**
   * Opens a connection to the kernel; says what is missing where it cannot, and refuses tables of
   * our name that another program made.
   */
  public NftablesBackend(NftablesOptions options) {
    this(options, false);
  }

  /** The same, but tables of our name are taken over or removed whoever made them. */
  public static NftablesBackend forced(NftablesOptions options) {
    return new NftablesBackend(options, true);
  }

  private NftablesBackend(NftablesOptions options, boolean force) {
    this.options = options;
    this.force = force;
    for (IpFamily family : IpFamily.values()) {
      tables.put(family, new FamilyTable(family));
    }
    kernel = Requirements.connect(options.namespace());
    try {
      foreign = TableMark.foreign(kernel, options.table());
      if (!force) {
        TableMark.check(foreign);
      }
    } catch (BackendException | NetlinkException e) {
      kernel.close();
      throw e instanceof BackendException
          ? e
          : new BackendException("nftables: " + e.getMessage(), e);
    }
  }

  /**
   * The tables of our name that another program made, as they were when this was opened. The first
   * sync puts ours in their place, in the same transaction.
   */
  public List<TableInfo> foreignTables() {
    return foreign;
  }

  @Override
  public void sync(NodeChange change) {
    attempt(() -> {
      if (!started || change.isFull() || failures > 0 || change.factsChanged()) {
        return reconcile(change.after());
      }
      write(change);
      return 0;
    });
  }

  /**
   * What a sync of a new process to {@code image} would change, one line per object: a sign, {@code
   * +}, {@code -} or {@code ~}, and the object. Nothing is written. It is what {@code --dry-run}
   * prints, and what is wrong with the rules of a process that has applied {@code image}.
   */
  public List<String> preview(NodeImage image) {
    List<String> lines = new ArrayList<>();
    try {
      EndpointOrder there = new EndpointOrder();
      KernelOrder.adopt(kernel, options.table(), image, there);
      for (IpFamily family : IpFamily.values()) {
        if (image.facts().families().contains(family)) {
          TableState wanted = render(image, family, options, there);
          Reconciliation.describing(kernel, options.table(), wanted, lines::add)
              .repair(new Batch(options.table()));
        } else if (kernel.tables(FamilyTable.netlink(family)).contains(options.table())) {
          lines.add("- table " + FamilyTable.netlink(family).word() + " " + options.table());
        }
      }
      return lines;
    } catch (NetlinkException e) {
      throw new BackendException(ErrorCode.RULES_REJECTED, "nftables: " + e.getMessage(), e);
    }
  }

  @Override
  public Audit audit(NodeImage applied) {
    tidy();
    int repaired = attempt(() -> reconcile(applied));
    return repaired == 0 ? Audit.CLEAN : new Audit(repaired, "");
  }

  /**
   * What of our rules this kernel refuses; empty if it takes all of them. They are sent in a
   * transaction that ends with an operation that must fail, so that the kernel checks all of it and
   * keeps none.
   *
   * @param sample an image whose services need every kind of rule
   */
  public static Optional<String> refusal(NodeImage sample, NftablesOptions options) {
    String last = "delete chain " + UNKNOWN_CHAIN;
    Batch batch = new Batch(options.table());
    try (Nftables kernel = Requirements.connect(options.namespace())) {
      for (IpFamily family : sample.facts().families()) {
        TableState wanted = render(sample, family, options);
        new Reconciliation(kernel, options.table(), wanted).rebuild(batch);
      }
      kernel.commit(batch.deleteChain(UNKNOWN_CHAIN));
    } catch (NetlinkException e) {
      String sentence = String.valueOf(e.getMessage());
      return sentence.contains(last) ? Optional.empty() : Optional.of(sentence);
    }
    throw new IllegalStateException("the kernel has a chain " + UNKNOWN_CHAIN);
  }

  /** Removes what the last change left over. */
  @Override
  public void tidy() {
    if (failures > 0 || tables.values().stream().noneMatch(FamilyTable::hasLeftovers)) {
      return;
    }
    attempt(() -> {
      Batch batch = new Batch(options.table());
      tables.forEach((family, table) -> {
        if (table.hasLeftovers()) {
          table.change(batch, new TableState(family), new TableState(family));
        }
      });
      kernel.commit(batch);
      return 0;
    });
  }

  @Override
  public boolean isBlank() {
    try {
      for (IpFamily family : IpFamily.values()) {
        if (kernel.tables(FamilyTable.netlink(family)).contains(options.table())) {
          return false;
        }
      }
      return true;
    } catch (NetlinkException e) {
      throw new BackendException("nftables: " + e.getMessage(), e);
    }
  }

  @Override
  public Upkeep upkeep() {
    return UPKEEP;
  }

  @Override
  public boolean usesConntrack() {
    return true;
  }

  @Override
  public Watch watch(Consumer<String> suspicions) {
    try {
      return new DriftWatch(this, suspicions);
    } catch (NetlinkException e) {
      throw new BackendException("nftables: " + e.getMessage(), e);
    }
  }

  /**
   * Does something to the kernel. After a failure the next attempt compares everything, and after
   * several it recreates the tables.
   */
  private int attempt(IntSupplier work) {
    try {
      int result = work.getAsInt();
      failures = 0;
      return result;
    } catch (NetlinkException e) {
      failures++;
      throw new BackendException(ErrorCode.RULES_REJECTED, "nftables: " + e.getMessage(), e);
    }
  }

  @Override
  public void cleanup() {
    attempt(() -> {
      Batch batch = new Batch(options.table());
      for (IpFamily family : IpFamily.values()) {
        remove(batch, family);
      }
      kernel.commit(batch);
      return 0;
    });
  }

  @Override
  public void close() {
    kernel.close();
  }

  /**
   * How many packets to nodePorts were rejected on localhost; any thread may ask. Nothing where the
   * kernel does not say.
   */
  public static OptionalLong rejectedOnLocalhost(
      NftablesOptions options, IpFamily family, Protocol protocol) {
    try (Nftables kernel = new Nftables(options.namespace())) {
      return kernel.packets(
          FamilyTable.netlink(family), options.table(), LocalhostRules.chain(protocol));
    } catch (NetlinkException e) {
      return OptionalLong.empty();
    }
  }

  NftablesOptions options() {
    return options;
  }

  /** Identifies our own transactions among the kernel's notifications. */
  int port() {
    return kernel.port();
  }

  TableName tableName(AddressFamily family) {
    return TableName.of(family, options.table());
  }

  /** All that the table of a family shall hold for {@code image}. */
  public static TableState render(NodeImage image, IpFamily family, NftablesOptions options) {
    return render(image, family, options, new EndpointOrder());
  }

  private static TableState render(
      NodeImage image, IpFamily family, NftablesOptions options, EndpointOrder order) {
    TableState state = new TableState(family);
    Layout.lay(state, image.facts(), options.mark());
    LocalhostRules.lay(state, options);
    for (NodeService service : image.services()) {
      lay(state, service, image.facts(), options, order);
    }
    return state;
  }

  private static void lay(
      TableState state,
      @Nullable NodeService service,
      NodeFacts facts,
      NftablesOptions options,
      EndpointOrder order) {
    if (service == null) {
      return;
    }
    for (ServicePort port : service.ports()) {
      if (port.family() == state.family()) {
        ServiceRules.lay(state, facts, options.mark(), port, order);
        LocalhostRules.lay(state, options, port);
      }
    }
  }

  private int reconcile(NodeImage image) {
    for (int i = 0; ; i++) {
      try {
        return reconcileOnce(image);
      } catch (NetlinkException e) {
        if (e.errno() != Errno.ERESTART || i == TRIES) {
          throw e;
        }
      }
    }
  }

  /** The generation ensures that the rules did not change between reading and writing. */
  private int reconcileOnce(NodeImage image) {
    int generation = kernel.generation();
    if (!started) {
      if (!force) {
        TableMark.check(TableMark.foreign(kernel, options.table()));
      }
      KernelOrder.adopt(kernel, options.table(), image, order);
    }
    Batch batch = new Batch(options.table());
    int differences = 0;
    for (IpFamily family : IpFamily.values()) {
      if (!image.facts().families().contains(family)) {
        differences += remove(batch, family);
        continue;
      }
      TableState wanted = render(image, family, options, order);
      Reconciliation reconciliation = new Reconciliation(kernel, options.table(), wanted);
      if (failures < FAILURES_BEFORE_REBUILD) {
        reconciliation.repair(batch);
      } else {
        reconciliation.rebuild(batch);
      }
      differences += reconciliation.differences();
      FamilyTable table = table(family);
      table.reset(wanted);
      table.removeLater(reconciliation.unwantedChains(), reconciliation.unwantedSets());
    }
    kernel.commit(batch, generation);
    order.keep(image);
    started = true;
    return differences;
  }

  /** Removes the table of a family that is not served; returns how many there were. */
  private int remove(Batch batch, IpFamily family) {
    table(family).forget();
    AddressFamily own = FamilyTable.netlink(family);
    if (!kernel.tables(own).contains(options.table())) {
      return 0;
    }
    batch.family(own).deleteTable();
    return 1;
  }

  /** Writes the difference; of each service the old side is laid before the new one. */
  private void write(NodeChange change) {
    Batch batch = new Batch(options.table());
    for (IpFamily family : change.after().facts().families()) {
      TableState old = new TableState(family);
      TableState now = new TableState(family);
      for (ServiceChange service : change.services()) {
        lay(old, service.before(), change.before().facts(), options, order);
        lay(now, service.after(), change.after().facts(), options, order);
      }
      table(family).change(batch, old, now);
    }
    kernel.commit(batch);
    change.services().forEach(service -> order.keep(service.before(), service.after()));
  }

  private FamilyTable table(IpFamily family) {
    return Objects.requireNonNull(tables.get(family));
  }
}
