package dev.portolan.backend.ipvs;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Masquerade;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import dev.portolan.nftables.table.Entry;
import dev.portolan.nftables.table.Hairpins;
import dev.portolan.nftables.table.Names;
import dev.portolan.nftables.table.SharedSets;
import dev.portolan.nftables.table.SourceRanges;
import dev.portolan.nftables.table.TableState;
import dev.portolan.nftables.table.Tables;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The table of nf_tables beside the virtual servers: which connections are masqueraded, who may use
 * a load balancer, and that nothing but services answers at the addresses of services. A service
 * wants elements of sets only; the rules depend on the node ({@link IpvsLayout}).
 */
public final class IpvsRules implements AutoCloseable {
  private static final SharedSets SHARED =
      new SharedSets(
          Set.of(IpvsLayout.ADDRESSES, IpvsLayout.HEALTH_CHECKS, Hairpins.SET),
          Set.of(Hairpins.SET));

  private final IpvsOptions options;
  private final Tables tables;

  /** Opens a connection to the kernel; refuses tables of our name that another program made. */
  IpvsRules(IpvsOptions options) {
    this.options = options;
    this.tables = new Tables(IpvsOptions.TABLE, options.namespace(), SHARED, false);
  }

  /**
   * All that the table of a family should hold for {@code image}, on a node whose own addresses are
   * as the cluster knows them.
   */
  public static TableState render(NodeImage image, IpFamily family, IpvsOptions options) {
    return render(image, family, options, new NodeAddresses(image.facts().addresses()));
  }

  private static TableState render(
      NodeImage image, IpFamily family, IpvsOptions options, NodeAddresses node) {
    TableState state = new TableState(family);
    IpvsLayout.lay(state, image.facts(), options.mark());
    for (NodeService service : image.services()) {
      lay(state, service, image.facts(), node);
    }
    return state;
  }

  /** Makes the tables equal to what {@code image} needs; returns how many objects differed. */
  int reconcile(NodeImage image, NodeAddresses node) {
    return tables.reconcile(_ -> render(image, node)).repaired();
  }

  /**
   * Writes what the changed services need, in one transaction.
   *
   * @param node the addresses of the node, the same as of the last comparison
   */
  void change(NodeChange change, NodeAddresses node) {
    if (!tables.areKnown()) {
      int _ = reconcile(change.after(), node);
      return;
    }
    tables.change(change, (table, service, facts) -> lay(table, service, facts, node));
  }

  /** Removes what the last change left over. */
  void tidy() {
    tables.tidy();
  }

  /** What {@link #reconcile} would change, one line per object. */
  List<String> preview(NodeImage image, NodeAddresses node) {
    return tables.preview(_ -> render(image, node));
  }

  /** Whether the kernel has none of the tables. */
  boolean areMissing() {
    return tables.areMissing();
  }

  /** Reports when another program changes the tables. */
  Backend.Watch watch(Consumer<String> suspicions) {
    return tables.watch(suspicions);
  }

  /** Removes the tables. */
  void remove() {
    tables.remove();
  }

  @Override
  public void close() {
    tables.close();
  }

  private Map<IpFamily, TableState> render(NodeImage image, NodeAddresses node) {
    return Tables.ofFamilies(image.facts(), family -> render(image, family, options, node));
  }

  private static void lay(
      TableState table, @Nullable NodeService service, NodeFacts facts, NodeAddresses node) {
    if (service == null) {
      return;
    }
    for (ServicePort port : service.ports()) {
      if (port.family() == table.family()) {
        for (ServiceAddress address : port.addresses()) {
          if (port.verdict(address.traffic()) != Verdict.NONE) {
            lay(table, port, address, node);
            guard(table, port, address, facts);
          }
        }
        Hairpins.lay(table, facts, port);
        if (service.healthCheckNodePort() != 0) {
          table.add(
              IpvsLayout.HEALTH_CHECKS,
              new Entry.OfPort(Protocol.TCP, service.healthCheckNodePort(), ""));
        }
      }
    }
  }

  private static void lay(
      TableState table, ServicePort port, ServiceAddress address, NodeAddresses node) {
    Protocol protocol = port.name().protocol();
    String comment = Names.comment(port.name());
    boolean masqueraded = port.route(Traffic.EXTERNAL).masquerade() == Masquerade.ALL;
    if (address.isNodePort()) {
      if (masqueraded) {
        table.add(IpvsLayout.NODEPORTS, new Entry.OfPort(protocol, address.port(), comment));
      }
      return;
    }
    Ip ip = address.address();
    if (!node.has(ip)) {
      table.add(IpvsLayout.ADDRESSES, new Entry.OfAddress(ip));
    }
    String set =
        !address.isExternal()
            ? IpvsLayout.CLUSTER_IPS
            : masqueraded ? IpvsLayout.EXTERNAL_IPS : IpvsLayout.EXTERNAL_IPS_LOCAL;
    table.add(set, new Entry.OfAddressPort(ip, protocol, address.port(), comment));
  }

  /**
   * The node reaches a load balancer's address, which it has itself, from that same address, and
   * such packets never pass the hook where others are checked.
   */
  private static void guard(
      TableState table, ServicePort port, ServiceAddress address, NodeFacts facts) {
    SourceRanges.lay(table, facts, port, address);
    List<Cidr> ranges = port.sourceRanges(address);
    if (ranges.isEmpty()) {
      return;
    }
    Ip ip = address.address();
    boolean allowsNode =
        ranges.stream()
            .anyMatch(range -> facts.primaryIp(ip.family()).filter(range::contains).isPresent());
    if (!allowsNode) {
      table.add(
          IpvsLayout.DENIED_TO_NODE,
          new Entry.OfHairpin(ip, port.name().protocol(), address.port()));
    }
  }
}
