package dev.portolan.doctor;

import dev.portolan.mode.Mode;
import dev.portolan.netlink.route.Link;
import dev.portolan.netlink.route.LinkAddress;
import dev.portolan.netlink.route.Links;
import java.net.Inet6Address;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether the kernel's settings let packets through that our rules send on. */
record SysctlChecks(Subject subject, KernelFiles files, Mode mode) {
  private static final String FORWARD4 = "net.ipv4.ip_forward";
  private static final String FORWARD6 = "net.ipv6.conf.all.forwarding";
  private static final String LOCALNET = "net.ipv4.conf.all.route_localnet";
  private static final String BRIDGE = "net.bridge.bridge-nf-call-iptables";
  private static final String STRICT = "net.ipv4.conf.all.rp_filter";

  List<CheckResult> run() {
    List<CheckResult> results = new ArrayList<>();
    List<Link> links;
    List<LinkAddress> addresses;
    try (Links kernel = new Links(subject.namespace())) {
      links = kernel.all();
      addresses = kernel.addresses();
    }
    results.add(forwarding("sysctl.ip_forward", FORWARD4));
    boolean v6 =
        addresses.stream()
            .map(LinkAddress::address)
            .anyMatch(ip ->
                ip instanceof Inet6Address && !ip.isLoopbackAddress() && !ip.isLinkLocalAddress());
    if (v6) {
      results.add(forwarding("sysctl.ipv6_forwarding", FORWARD6));
    }
    results.add(localnet());
    results.add(bridge(links.stream().filter(link -> link.kind().equals("bridge")).toList()));
    results.add(reversePath(links, addresses));
    return results;
  }

  private CheckResult forwarding(String id, String name) {
    OptionalLong value = files.sysctl(name);
    if (value.isEmpty()) {
      return unreadable(id, name);
    }
    return value.getAsLong() != 0
        ? CheckResult.ok(id, name + " is " + value.getAsLong())
        : CheckResult.fail(
            id, name + " is 0: no packet reaches a pod through a service", set(name, 1));
  }

  /** Mode iptables needs it for nodePorts on localhost; anywhere else it is only a risk. */
  private CheckResult localnet() {
    String id = "sysctl.route_localnet";
    OptionalLong value = files.sysctl(LOCALNET);
    if (value.isEmpty()) {
      return unreadable(id, LOCALNET);
    }
    boolean on = value.getAsLong() != 0;
    boolean wanted = mode.routesLocalhost(subject.settings());
    if (wanted && !on) {
      return CheckResult.warn(
          id,
          LOCALNET + " is 0: nodePorts do not answer on localhost",
          set(LOCALNET, 1) + "; or disable them with iptables.localhostNodePorts: false");
    }
    if (!wanted && on) {
      return CheckResult.warn(
          id,
          LOCALNET
              + " is 1, which mode "
              + mode.word()
              + " does not need: neighbours of the node may"
              + " reach what listens on its localhost",
          set(LOCALNET, 0));
    }
    return CheckResult.ok(id, LOCALNET + " is " + value.getAsLong());
  }

  private CheckResult bridge(List<Link> bridges) {
    String id = "sysctl.bridge-nf-call-iptables";
    if (bridges.isEmpty()) {
      return CheckResult.ok(id, "there is no bridge that would need " + BRIDGE);
    }
    String names = bridges.stream().map(Link::name).collect(Collectors.joining(", "));
    OptionalLong value = files.sysctl(BRIDGE);
    if (value.isEmpty()) {
      return CheckResult.warn(
          id,
          "the module br_netfilter is not loaded: pods on one bridge ("
              + names
              + ") get no answers from each other through a service",
          "modprobe br_netfilter, and name it in a file of /etc/modules-load.d");
    }
    return value.getAsLong() != 0
        ? CheckResult.ok(id, BRIDGE + " is 1")
        : CheckResult.warn(
            id,
            BRIDGE
                + " is 0: pods on one bridge ("
                + names
                + ") get no answers from each other through a service",
            set(BRIDGE, 1));
  }

  /** A strict check drops answers that come in by another interface. */
  private CheckResult reversePath(List<Link> links, List<LinkAddress> addresses) {
    String id = "sysctl.rp_filter";
    OptionalLong all = files.sysctl(STRICT);
    if (all.isEmpty()) {
      return unreadable(id, STRICT);
    }
    Set<Integer> addressed =
        addresses.stream()
            .filter(address -> !(address.address() instanceof Inet6Address))
            .map(LinkAddress::link)
            .collect(Collectors.toSet());
    List<String> strict =
        links.stream()
            .filter(link -> !link.loopback() && link.up() && addressed.contains(link.index()))
            .map(Link::name)
            .filter(name ->
                Math.max(
                        all.getAsLong(),
                        files.number("/proc/sys/net/ipv4/conf/" + name + "/rp_filter").orElse(0))
                    == 1)
            .toList();
    return strict.size() < 2
        ? CheckResult.ok(id, STRICT + " is " + all.getAsLong())
        : CheckResult.warn(
            id,
            "rp_filter is strict (1) on "
                + String.join(", ", strict)
                + ": answers that come in by another interface than they would go out are dropped",
            set(STRICT, 2) + " where the routes of this node are not symmetric");
  }

  private static CheckResult unreadable(String id, String name) {
    return CheckResult.unknown(id, name + " cannot be read", "run it on the host, as root");
  }

  private static String set(String name, int value) {
    return "sysctl -w " + name + "=" + value + ", and write it to a file of /etc/sysctl.d";
  }
}
