package dev.portolan.proxy.takeover;

import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.nftables.Batch;
import dev.portolan.netlink.nftables.Nftables;
import dev.portolan.netlink.nftables.TableName;
import java.util.ArrayList;
import java.util.List;

/** The table of one family that kube-proxy's mode nftables made. */
record ProxyTable(TakeoverOptions options, boolean ipv6) implements Leftover {
  private static final String NAME = "kube-proxy";

  static List<ProxyTable> find(TakeoverOptions options) {
    List<ProxyTable> found = new ArrayList<>();
    if (!options.ownTable().equals(NAME)) {
      try (Nftables kernel = new Nftables(options.namespace())) {
        for (boolean ipv6 : new boolean[] {false, true}) {
          if (kernel.tables(ipv6).contains(NAME)) {
            found.add(new ProxyTable(options, ipv6));
          }
        }
      }
    }
    return found;
  }

  @Override
  public String describe() {
    return "nftables: table " + TableName.of(ipv6, NAME);
  }

  @Override
  public void remove() {
    try (Nftables kernel = new Nftables(options.namespace())) {
      kernel.commit(new Batch(NAME).family(ipv6).deleteTable());
    } catch (NetlinkException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
  }
}
