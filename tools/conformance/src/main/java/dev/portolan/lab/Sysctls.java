package dev.portolan.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The kernel's settings inside one namespace, written before its interfaces are made. */
final class Sysctls {
  private static final Path FOLDER = Path.of("/proc/sys/net");
  private static final Path OWN = Path.of("/proc/thread-self/ns/net");

  private Sysctls() {}

  /** Writes the settings; {@code forwards} says whether the namespace routes for others. */
  static void write(Namespace namespace, boolean forwards) {
    try {
      Path outside = Files.readSymbolicLink(OWN);
      namespace.run(() -> write(namespace, outside, settings(forwards)));
    } catch (IOException e) {
      throw new LabException("could not set up " + namespace + ": " + e, e);
    }
  }

  private static void write(Namespace namespace, Path outside, Map<String, String> settings) {
    try {
      if (Files.readSymbolicLink(OWN).equals(outside)) {
        throw new IllegalStateException("still in the namespace outside; nothing was written");
      }
      for (Map.Entry<String, String> setting : settings.entrySet()) {
        Path file = FOLDER.resolve(setting.getKey());
        // A kernel without bridge netfilter does not have its files.
        if (Files.exists(file)) {
          Files.writeString(file, setting.getValue());
        }
      }
    } catch (IOException e) {
      throw new LabException("could not set up " + namespace + ": " + e, e);
    }
  }

  private static Map<String, String> settings(boolean forwards) {
    Map<String, String> settings = new LinkedHashMap<>();
    String forwarding = forwards ? "1" : "0";
    settings.put("ipv4/ip_forward", forwarding);
    // Every refusal must be heard, however many there are.
    settings.put("ipv4/icmp_ratelimit", "0");
    settings.put("ipv4/icmp_msgs_per_sec", "100000");
    settings.put("ipv4/icmp_msgs_burst", "100000");
    settings.put("ipv6/icmp/ratelimit", "0");
    // The router listens on addresses that it only has routes for.
    settings.put("ipv6/ip_nonlocal_bind", "1");
    for (String scope : new String[] {"all", "default"}) {
      settings.put("ipv4/conf/" + scope + "/rp_filter", "0");
      // Pods reach each other through their node, in and out of one interface.
      settings.put("ipv4/conf/" + scope + "/send_redirects", "0");
      settings.put("ipv4/conf/" + scope + "/accept_redirects", "0");
      settings.put("ipv6/conf/" + scope + "/disable_ipv6", "0");
      settings.put("ipv6/conf/" + scope + "/forwarding", forwarding);
      settings.put("ipv6/conf/" + scope + "/accept_redirects", "0");
      settings.put("ipv6/conf/" + scope + "/accept_ra", "0");
      // Addresses are usable at once.
      settings.put("ipv6/conf/" + scope + "/accept_dad", "0");
      settings.put("ipv6/conf/" + scope + "/dad_transmits", "0");
    }
    // Packets pass the rules once, as routed packets.
    settings.put("bridge/bridge-nf-call-iptables", "0");
    settings.put("bridge/bridge-nf-call-ip6tables", "0");
    settings.put("bridge/bridge-nf-call-arptables", "0");
    return settings;
  }
}
