package dev.portolan.backend.iptables;

import dev.portolan.core.backend.BackendException;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkConnection;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetlinkSocket;
import dev.portolan.netlink.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The settings and counters of the kernel that our rules go with. */
record Machine(Optional<Path> namespace) {
  private static final Path LIBERAL =
      Path.of("/proc/sys/net/netfilter/nf_conntrack_tcp_be_liberal");
  private static final Path ROUTE_LOCALNET = Path.of("/proc/sys/net/ipv4/conf/all/route_localnet");

  private static final int ACCOUNTING = 7 << 8;
  private static final int NEW = 0;
  private static final int GET = 1;
  private static final int HEADER = 4;
  private static final int NAME = 1;
  private static final int PACKETS = 2;

  /** Whether the kernel lets packets through that are out of a connection's window. */
  boolean isLiberal() {
    try {
      return inside(() -> Files.exists(LIBERAL) && !Files.readString(LIBERAL).strip().equals("0"));
    } catch (IOException e) {
      return false;
    }
  }

  /** Lets what comes to 127.0.0.0/8 be sent elsewhere; the guard must be there before. */
  void routeLocalnet() {
    try {
      boolean _ =
          inside(() -> {
            if (!Files.readString(ROUTE_LOCALNET).strip().equals("1")) {
              Files.writeString(ROUTE_LOCALNET, "1");
            }
            return true;
          });
    } catch (IOException e) {
      throw new BackendException(
          "iptables: nodePorts on localhost need 1 in "
              + ROUTE_LOCALNET
              + ", but it cannot be written: "
              + e.getMessage()
              + "; first run kube-proxy --init-only with privileges, or disable them with"
              + " --iptables-localhost-nodeports=false",
          e);
    }
  }

  /** Whether the kernel routes packets to 127.0.0.0/8 elsewhere; true where that cannot be read. */
  boolean isLocalnetRouted() {
    try {
      return inside(() -> Files.readString(ROUTE_LOCALNET).strip().equals("1"));
    } catch (IOException e) {
      return true;
    }
  }

  private <T> T inside(NetworkNamespace.Visit<T, IOException> visit) throws IOException {
    return namespace.isEmpty() ? visit.call() : new NetworkNamespace(namespace.get()).visit(visit);
  }

  /** Makes our counters where they are missing; returns whether the kernel supports them. */
  boolean hasCounters() {
    try (NetlinkConnection kernel = new NetlinkConnection(NetlinkSocket.NETFILTER, namespace)) {
      for (String name : List.of(RuleText.INVALID_COUNTER, RuleText.LOCALHOST_COUNTER)) {
        make(kernel, name);
      }
      return true;
    } catch (NetlinkException e) {
      return false;
    }
  }

  /** Whether our counters are there. */
  boolean isCounting() {
    return packets(RuleText.INVALID_COUNTER).isPresent();
  }

  private static void make(NetlinkConnection kernel, String name) {
    try {
      boolean _ =
          kernel.ask(
              "make the counter " + name,
              ACCOUNTING | NEW,
              MessageWriter.ACK | MessageWriter.CREATE | MessageWriter.EXCLUSIVE,
              writer -> writer.raw(0, 0, 0, 0).text(NAME, name),
              message -> {});
    } catch (NetlinkException e) {
      if (e.errno() != Errno.EEXIST && e.errno() != Errno.EBUSY) {
        throw e;
      }
    }
  }

  /** How many packets a counter has seen; empty where there is no such counter. */
  OptionalLong packets(String counter) {
    long[] packets = {-1};
    try (NetlinkConnection kernel = new NetlinkConnection(NetlinkSocket.NETFILTER, namespace)) {
      boolean _ =
          kernel.ask(
              "read the counter " + counter,
              ACCOUNTING | GET,
              MessageWriter.ACK,
              writer -> writer.raw(0, 0, 0, 0).text(NAME, counter),
              message -> packets[0] = message.attributes(HEADER).u64(PACKETS));
    } catch (NetlinkException e) {
      return OptionalLong.empty();
    }
    return packets[0] < 0 ? OptionalLong.empty() : OptionalLong.of(packets[0]);
  }
}
