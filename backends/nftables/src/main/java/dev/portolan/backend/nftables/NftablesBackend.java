package dev.portolan.backend.nftables;

import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.backend.Upkeep;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import dev.portolan.nftables.Nftables.TableInfo;
import dev.portolan.nftables.table.Hairpins;
import dev.portolan.nftables.table.KernelTables;
import dev.portolan.nftables.table.SharedSets;
import dev.portolan.nftables.table.TableState;
import dev.portolan.nftables.table.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Programs a node's decisions into nf_tables.
 *
 * <p>A full sync, one after a failure, and one after the node's facts changed compare the whole
 * table with the kernel's and write the difference. Every other one writes what the changed
 * services need. Each takes effect in one transaction for both families; {@link Tables} does it.
 */
public final class NftablesBackend implements Backend {
  private static final Upkeep UPKEEP = new Upkeep(Duration.ofMinutes(5), Duration.ofMillis(200));

  /** A packet that was just sent to an endpoint meets the hairpins only on its way out. */
  private static final SharedSets SHARED =
      new SharedSets(Set.of(Layout.CLUSTER_IPS, Hairpins.SET), Set.of(Hairpins.SET));

  private final NftablesOptions options;
  private final Tables tables;
  private final EndpointOrder order = new EndpointOrder();
  private boolean adopted;

  /**
   * Opens a connection to the kernel; says what is missing where it cannot, and refuses tables of
   * our name that another program made.
   */
  public NftablesBackend(NftablesOptions options) {
    this(options, false);
  }

  /** The same, but tables of our name are taken over or removed regardless of who made them. */
  public static NftablesBackend forced(NftablesOptions options) {
    return new NftablesBackend(options, true);
  }

  private NftablesBackend(NftablesOptions options, boolean force) {
    this.options = options;
    this.tables = new Tables(options.table(), options.namespace(), SHARED, force);
  }

  /**
   * The tables of our name that another program made, as they were when this was opened. The first
   * sync puts ours in their place, in the same transaction.
   */
  public List<TableInfo> foreignTables() {
    return tables.foreign();
  }

  @Override
  public void sync(NodeChange change) {
    if (!tables.areKnown() || change.isFull() || concernsAll(change)) {
      reconcile(change.after());
    } else {
      write(change);
    }
  }

  /**
   * What a sync of a new process to {@code image} would change, one line per object: a sign, {@code
   * +}, {@code -} or {@code ~}, and the object. Nothing is written. It is what {@code --dry-run}
   * prints, and what is wrong with the rules of a process that has applied {@code image}.
   */
  public List<String> preview(NodeImage image) {
    return preview(image, there -> options);
  }

  /** The same, ignoring whether traffic is counted. */
  public List<String> drift(NodeImage image) {
    return preview(image, there -> options.counting(ServiceMaps.count(there)));
  }

  private List<String> preview(NodeImage image, Function<KernelTables, NftablesOptions> wanted) {
    return tables.preview(there -> {
      EndpointOrder found = new EndpointOrder();
      NftablesOptions own = wanted.apply(there);
      List<NodeService> services = list(image);
      adopt(there, image.facts(), services, own, found);
      return render(image.facts(), services, own, found);
    });
  }

  @Override
  public Audit audit(NodeImage applied) {
    return reconcile(applied);
  }

  /**
   * What of our rules this kernel refuses; empty if it takes all of them. Nothing is kept.
   *
   * @param sample an image whose services need every kind of rule
   */
  public static Optional<String> refusal(NodeImage sample, NftablesOptions options) {
    return Tables.refusal(
        options.table(),
        options.namespace(),
        SHARED,
        sample.facts().families().stream().map(family -> render(sample, family, options)).toList());
  }

  /** Removes what the last change left over. */
  @Override
  public void tidy() {
    tables.tidy();
  }

  @Override
  public boolean isBlank() {
    return tables.areMissing();
  }

  /** Reads the kernel on a connection of its own, so that no sync waits. */
  @Override
  public List<TrafficCount> traffic() {
    return traffic(options);
  }

  /** The same for rules that another process has written. */
  public static List<TrafficCount> traffic(NftablesOptions options) {
    return CountedElements.read(options);
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
    return tables.watch(suspicions);
  }

  @Override
  public void cleanup() {
    tables.remove();
  }

  @Override
  public void close() {
    tables.close();
  }

  /**
   * How many packets to nodePorts were rejected on localhost; any thread may ask. Nothing where the
   * kernel does not say.
   */
  public static OptionalLong rejectedOnLocalhost(
      NftablesOptions options, IpFamily family, Protocol protocol) {
    return CountedElements.packets(options, family, LocalhostRules.chain(protocol));
  }

  /** All that the table of a family should hold for {@code image}. */
  public static TableState render(NodeImage image, IpFamily family, NftablesOptions options) {
    TableState state = layout(family, image.facts(), options);
    EndpointOrder order = new EndpointOrder();
    for (NodeService service : image.services()) {
      lay(state, service, image.facts(), options, order);
    }
    return state;
  }

  /** The same for each family that the node serves; {@code services} are those of the image. */
  private static Map<IpFamily, TableState> render(
      NodeFacts facts, List<NodeService> services, NftablesOptions options, EndpointOrder order) {
    Map<IpFamily, TableState> states =
        Tables.ofFamilies(facts, family -> layout(family, facts, options));
    for (NodeService service : services) {
      states.values().forEach(state -> lay(state, service, facts, options, order));
    }
    return states;
  }

  private static TableState layout(IpFamily family, NodeFacts facts, NftablesOptions options) {
    TableState state = new TableState(family);
    Layout.lay(state, facts, options);
    LocalhostRules.lay(state, options);
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
        ServiceRules.lay(state, facts, options, port, order);
        LocalhostRules.lay(state, options, port);
      }
    }
  }

  /** Takes the order of endpoints from the kernel. */
  private static void adopt(
      KernelTables there,
      NodeFacts facts,
      List<NodeService> services,
      NftablesOptions options,
      EndpointOrder order) {
    KernelOrder.adopt(
        there, services, order, () -> render(facts, services, options, new EndpointOrder()));
  }

  private Audit reconcile(NodeImage image) {
    List<NodeService> services = list(image);
    Audit differences =
        tables.reconcile(there -> {
          if (!adopted) {
            adopt(there, image.facts(), services, options, order);
          }
          return render(image.facts(), services, options, order);
        });
    order.keep(services);
    adopted = true;
    return differences;
  }

  /** The services of an image as a list, because going through them looks each of them up. */
  private static List<NodeService> list(NodeImage image) {
    List<NodeService> services = new ArrayList<>(image.services().size());
    image.services().forEach(services::add);
    return services;
  }

  /** Whether the facts changed that the rules of services follow from. */
  private static boolean concernsAll(NodeChange change) {
    return change.factsChanged()
        && !change
            .before()
            .facts()
            .withoutServiceCidrs()
            .equals(change.after().facts().withoutServiceCidrs());
  }

  private void write(NodeChange change) {
    tables.change(
        change,
        (family, facts) ->
            change.factsChanged() ? layout(family, facts, options) : new TableState(family),
        (table, service, facts) -> lay(table, service, facts, options, order));
    change.services().forEach(service -> order.keep(service.before(), service.after()));
  }
}
