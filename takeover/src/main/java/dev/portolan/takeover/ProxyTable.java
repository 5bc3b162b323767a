package dev.portolan.takeover;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.nftables.Batch;
import dev.portolan.netlink.nftables.Nftables;
import dev.portolan.netlink.nftables.TableName;
import dev.portolan.takeover.TakeoverOptions.Own;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A table of one family that a mode nftables made: kube-proxy's, or our own in another mode. */
record ProxyTable(TakeoverOptions options, AddressFamily family, String name) implements Leftover {
  private static final String KUBE_PROXY = "kube-proxy";

  static List<ProxyTable> find(TakeoverOptions options) {
    Set<String> names = new TreeSet<>(List.of(KUBE_PROXY, options.ownTable()));
    if (options.own() == Own.NFTABLES) {
      names.remove(options.ownTable());
    }
    List<ProxyTable> found = new ArrayList<>();
    try (Nftables kernel = new Nftables(options.namespace())) {
      for (AddressFamily family : AddressFamily.values()) {
        for (String name : kernel.tables(family)) {
          if (names.contains(name)) {
            found.add(new ProxyTable(options, family, name));
          }
        }
      }
    }
    return found;
  }

  @Override
  public String describe() {
    return "nftables: table " + TableName.of(family, name);
  }

  @Override
  public void remove() {
    try (Nftables kernel = new Nftables(options.namespace())) {
      kernel.commit(new Batch(name).family(family).deleteTable());
    } catch (NetlinkException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
  }
}
