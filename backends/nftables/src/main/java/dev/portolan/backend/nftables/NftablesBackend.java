package dev.portolan.backend.nftables;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.DriftListener;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.nftables.Batch;
import dev.portolan.netlink.nftables.Nftables;
import dev.portolan.netlink.nftables.TableName;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Programs a node's decisions into nf_tables.
 *
 * <p>The first sync, one after a failure, and one after the node's facts changed compare the whole
 * table with the kernel's and write the difference ({@link Reconciliation}). Every other one writes
 * what the changed services need ({@link FamilyTable}). Each is one transaction for both families.
 */
public final class NftablesBackend implements Backend {
  private static final Duration AUDIT_EVERY = Duration.ofMinutes(5);
  private static final int TRIES = 5;
  private static final int FAILURES_BEFORE_REBUILD = 3;

  private final NftablesOptions options;
  private final Nftables kernel;
  private final Map<IpFamily, FamilyTable> tables = new EnumMap<>(IpFamily.class);
  private final EndpointOrder order = new EndpointOrder();
  private boolean started;
  private @Nullable NodeImage applied;
  private int failures;

  /** Opens a connection to the kernel; says what is missing where it cannot. */
  public NftablesBackend(NftablesOptions options) {
    this.options = options;
    for (IpFamily family : IpFamily.values()) {
      tables.put(family, new FamilyTable(family));
    }
    kernel = Requirements.connect(options.namespace());
  }

  @Override
  public synchronized void sync(NodeImage image, NodeDelta delta) {
    NodeImage before = applied;
    attempt(() -> {
      if (before == null
          || failures > 0
          || before.revision() != delta.fromRevision()
          || delta.facts().isPresent()) {
        return reconcile(image);
      }
      change(before, image, delta);
      return 0;
    });
    applied = image;
  }

  /** Compares the kernel with what was applied last, and repairs it; returns how much was wrong. */
  public synchronized int audit() {
    tidy();
    NodeImage image = applied;
    return image == null ? 0 : attempt(() -> reconcile(image));
  }

  /** Removes what the last change left over. */
  @Override
  public synchronized void tidy() {
    NodeImage image = applied;
    if (image != null
        && failures == 0
        && tables.values().stream().anyMatch(FamilyTable::hasLeftovers)) {
      attempt(() -> {
        change(image, image, NodeDelta.between(image, image));
        return 0;
      });
    }
  }

  @Override
  public Watch watch(DriftListener listener) {
    try {
      return new DriftWatch(this, AUDIT_EVERY, listener);
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
  public synchronized void cleanup() {
    applied = null;
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
  public synchronized void close() {
    kernel.close();
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

  private void change(NodeImage before, NodeImage after, NodeDelta delta) {
    Batch batch = new Batch(options.table());
    for (IpFamily family : after.facts().families()) {
      TableState old = new TableState(family);
      TableState now = new TableState(family);
      for (NodeService service : delta.set()) {
        lay(old, before.service(service.name()), before.facts(), options, order);
        lay(now, service, after.facts(), options, order);
      }
      for (NamespacedName name : delta.removed()) {
        NodeService gone = before.service(name);
        lay(old, gone, before.facts(), options, order);
      }
      table(family).change(batch, old, now);
    }
    kernel.commit(batch);
    for (NodeService service : delta.set()) {
      order.keep(before.service(service.name()), service);
    }
    for (NamespacedName name : delta.removed()) {
      order.keep(before.service(name), null);
    }
  }

  private FamilyTable table(IpFamily family) {
    return Objects.requireNonNull(tables.get(family));
  }
}
