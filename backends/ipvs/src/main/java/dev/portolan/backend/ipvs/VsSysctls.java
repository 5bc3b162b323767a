package dev.portolan.backend.ipvs;

import dev.portolan.core.error.ErrorCode;
import dev.portolan.netlink.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings of the kernel that virtual servers need, as kube-proxy sets them. */
final class VsSysctls {
  private static final Path ROOT = Path.of("/proc/sys/net/ipv4");

  private final Optional<Path> namespace;
  private final Map<String, Integer> wanted = new LinkedHashMap<>();

  VsSysctls(IpvsOptions options) {
    namespace = options.namespace();
    // Masquerading needs connection tracking of what IPVS forwards.
    wanted.put("vs/conntrack", 1);
    // A connection to a real server that is gone ends at once, and not after its timeout.
    wanted.put("vs/expire_nodest_conn", 1);
    // A client that stays with a real server leaves it when it drains.
    wanted.put("vs/expire_quiescent_template", 1);
    wanted.put("ip_forward", 1);
    if (options.strictArp()) {
      wanted.put("conf/all/arp_ignore", 1);
      wanted.put("conf/all/arp_announce", 2);
    }
    if (reusesPortsBadly(System.getProperty("os.version", ""))) {
      wanted.put("vs/conn_reuse_mode", 0);
    }
  }

  /** Before Linux 5.9 a client's port that is used again waits a second for its connection. */
  static boolean reusesPortsBadly(String kernel) {
    String[] parts = kernel.split("[^0-9]+", 3);
    if (parts.length < 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
      return false;
    }
    int major = Integer.parseInt(parts[0]);
    int minor = Integer.parseInt(parts[1]);
    return (major == 4 && minor >= 1) || (major == 5 && minor < 9);
  }

  /** All that is wanted, as sysctl prints it. */
  List<String> lines() {
    return wanted.entrySet().stream()
        .map(entry -> "net.ipv4." + entry.getKey().replace('/', '.') + " = " + entry.getValue())
        .toList();
  }

  /** What {@link #set} would change, as {@code ~ net/ipv4/ip_forward 0 to 1}. */
  List<String> preview() {
    return inNamespace(() -> {
      List<String> lines = new ArrayList<>();
      wanted.forEach((name, value) -> {
        try {
          String is = Files.readString(ROOT.resolve(name)).strip();
          if (!is.equals(value.toString())) {
            lines.add("~ net/ipv4/" + name + " " + is + " to " + value);
          }
        } catch (IOException e) {
          lines.add("~ net/ipv4/" + name + " to " + value);
        }
      });
      return lines;
    });
  }

  /** Sets what is not as it should be. */
  void set(IpvsProblems problems) {
    Map<String, Integer> failed =
        inNamespace(() -> {
          Map<String, Integer> not = new LinkedHashMap<>();
          wanted.forEach((name, value) -> {
            try {
              Path file = ROOT.resolve(name);
              if (!Files.readString(file).strip().equals(value.toString())) {
                Files.writeString(file, value.toString());
              }
            } catch (IOException e) {
              not.put(name, value);
            }
          });
          return not;
        });
    failed.forEach((name, value) ->
        problems.add(
            ErrorCode.HOST,
            "cannot set net/ipv4/"
                + name
                + " to "
                + value
                + "; set it on the host, or let this process write to /proc/sys"));
  }

  private <T> T inNamespace(NetworkNamespace.Visit<T, RuntimeException> visit) {
    return namespace.isEmpty() ? visit.call() : new NetworkNamespace(namespace.get()).visit(visit);
  }
}
