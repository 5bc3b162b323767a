package dev.portolan.core.node;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.text.Tree;
import java.util.List;

/**
 * On which of the node's addresses nodePorts are served, in one family. Never on loopback.
 *
 * @param all on every address of the node
 * @param ranges otherwise on those inside one of these
 */
public record NodePortAddresses(boolean all, List<Cidr> ranges) implements Tree.Shown {
  /** On every address. */
  public static final NodePortAddresses ALL = new NodePortAddresses(true, List.of());

  /** On no address. */
  public static final NodePortAddresses NONE = new NodePortAddresses(false, List.of());

  public NodePortAddresses {
    ranges = List.copyOf(ranges);
  }

  /** Whether nodePorts are served on {@code address}, given that it is one of the node's. */
  public boolean accept(Ip address) {
    return !address.isLoopback()
        && (all || ranges.stream().anyMatch(range -> range.contains(address)));
  }

  @Override
  public Object shown() {
    return all ? List.of("all") : ranges;
  }

  @Override
  public String toString() {
    return all
        ? "all"
        : ranges.isEmpty()
            ? "none"
            : String.join(" ", ranges.stream().map(Cidr::toString).toList());
  }
}
