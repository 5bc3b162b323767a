package dev.portolan.backend.ipvs;

import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.Ip;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.route.Link;
import dev.portolan.netlink.route.Links;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The device that holds the addresses of services. An address that another device has already stays
 * there alone, as that of a node or of a load balancer that runs on it. Only addresses of a single
 * host are ever removed.
 */
final class ServiceAddresses implements AutoCloseable {
  private final IpvsOptions options;
  private final WatchedState watched;
  private final Links links;
  private final Map<Ip, Integer> counts = new HashMap<>();
  private @Nullable Link device;

  ServiceAddresses(IpvsOptions options, WatchedState watched) {
    this.options = options;
    this.watched = watched;
    this.links = new Links(options.namespace());
  }

  Links links() {
    return links;
  }

  /** The number that the kernel knows our changes by. */
  int port() {
    return links.port();
  }

  /** Makes the device hold what {@code state} wants; returns how much differed. */
  int reset(KernelReading kernel, IpvsState state, IpvsProblems problems) {
    counts.clear();
    counts.putAll(state.addresses());
    device = null;
    watched.device(0);
    watched.bound().clear();
    if (!kernel.hasUsableDevice()) {
      problems.add(
          ErrorCode.FOREIGN_RULES,
          "device "
              + IpvsOptions.DEVICE
              + " is not of kind dummy, so that it belongs to another program; rename or delete"
              + " it");
      return 0;
    }
    Set<Ip> add = wanted(kernel, state);
    Set<Ip> remove = unwanted(kernel, add);
    add.removeAll(kernel.bound());
    try {
      device = links.ensureDummy(IpvsOptions.DEVICE);
      watched.device(device.index());
    } catch (NetlinkException e) {
      problems.add(
          ErrorCode.HOST,
          e.getMessage() + "; load the module dummy, or make the device on the host");
      return 0;
    }
    watched.bound().addAll(kernel.bound());
    int made = kernel.device().isEmpty() ? 1 : 0;
    write(add, remove, problems);
    return made + add.size() + remove.size();
  }

  /** Changes what the services on both sides of a change make different. */
  void change(IpvsState before, IpvsState after, IpvsProblems problems) {
    Map<Ip, Integer> differences = new HashMap<>(after.addresses());
    before
        .addresses()
        .forEach((address, count) -> differences.merge(address, -count, Integer::sum));
    Set<Ip> add = new TreeSet<>();
    Set<Ip> remove = new TreeSet<>();
    differences.forEach((address, by) -> {
      int had = counts.getOrDefault(address, 0);
      int has = had + by;
      if (has == 0) {
        counts.remove(address);
      } else {
        counts.put(address, has);
      }
      if (had == 0 && has > 0 && !watched.node().has(address)) {
        add.add(address);
      } else if (had > 0 && has == 0 && watched.bound().contains(address)) {
        remove.add(address);
      }
    });
    write(add, remove, problems);
  }

  /** What {@link #reset} would do, one line per object. */
  List<String> preview(KernelReading kernel, IpvsState state) {
    List<String> lines = new ArrayList<>();
    if (kernel.device().isEmpty()) {
      lines.add("+ device " + IpvsOptions.DEVICE);
    }
    Set<Ip> wanted = wanted(kernel, state);
    unwanted(kernel, wanted).forEach(address -> lines.add("- " + line(address)));
    wanted.stream()
        .filter(address -> !kernel.bound().contains(address))
        .forEach(address -> lines.add("+ " + line(address)));
    return lines;
  }

  private String line(Ip address) {
    return "address " + address + " on " + IpvsOptions.DEVICE;
  }

  /** Removes the device with all its addresses, if it is one that we could have made. */
  void cleanup(KernelReading kernel) {
    counts.clear();
    device = null;
    if (kernel.hasUsableDevice()) {
      kernel.device().ifPresent(links::delete);
    }
  }

  @Override
  public void close() {
    links.close();
  }

  private static Set<Ip> wanted(KernelReading kernel, IpvsState state) {
    Set<Ip> wanted = new TreeSet<>();
    for (Ip address : state.addresses().keySet()) {
      if (!kernel.node().has(address)) {
        wanted.add(address);
      }
    }
    return wanted;
  }

  private Set<Ip> unwanted(KernelReading kernel, Set<Ip> wanted) {
    Set<Ip> unwanted = new TreeSet<>();
    for (Ip address : kernel.bound()) {
      if (!wanted.contains(address) && !options.excludes(address) && !address.isLinkLocal()) {
        unwanted.add(address);
      }
    }
    return unwanted;
  }

  private void write(Collection<Ip> add, Collection<Ip> remove, IpvsProblems problems) {
    Link link = device;
    if (link == null) {
      return;
    }
    watched.bound().removeAll(remove);
    links
        .addAddresses(link, add.stream().map(ServerKey::inet).toList())
        .forEach(refusal -> problems.add("add", link.name(), refusal));
    links
        .removeAddresses(link, remove.stream().map(ServerKey::inet).toList())
        .forEach(refusal -> problems.add("remove", link.name(), refusal));
    watched.bound().addAll(add);
  }
}
