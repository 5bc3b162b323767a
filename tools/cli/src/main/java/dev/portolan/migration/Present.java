package dev.portolan.migration;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.Conversion;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.IpFamily;
import dev.portolan.modes.KernelModes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * How things are before the move.
 *
 * @param target the mode to move to
 * @param configuration what is in use, every field with its value
 * @param version the release that says what an unset mode means
 * @param lost the fields that have no place in the latest version
 * @param services those of the cluster, where one was given
 * @param node the node that was looked at, if one was
 */
record Present(
    ProxyMode target,
    ProxyConfiguration configuration,
    KubeVersion version,
    List<Finding> lost,
    Optional<MigrationImpact> services,
    Optional<ThisNode> node) {
  /** The default bit of the packet mark. */
  private static final int USUAL_BIT = 14;

  private static final Cidr LOOPBACK = Cidr.of("127.0.0.0/8");

  static Present of(
      ProxyMode target,
      Settings written,
      KubeVersion version,
      Optional<MigrationImpact> services,
      Optional<ThisNode> node) {
    Conversion.Result latest = Conversion.convert(written, ConfigVersion.latest());
    return new Present(
        target,
        ProxyConfiguration.of(latest.settings()),
        version,
        latest.warnings(),
        services,
        node);
  }

  /** Whether the rules become others; those of ebpf are tables of nftables already. */
  boolean moves() {
    return mode() != target && !mode().section().equals(target.section());
  }

  /** The mode in use, named or not. */
  ProxyMode mode() {
    return isModeUnset() ? ProxyMode.byDefault(Platform.LINUX, version) : configuration.mode();
  }

  boolean isModeUnset() {
    return configuration.mode() == ProxyMode.UNSET;
  }

  boolean isIpvs() {
    return mode() == ProxyMode.IPVS;
  }

  boolean isIptables() {
    return mode() == ProxyMode.IPTABLES;
  }

  boolean isNftables() {
    return mode().isNftables();
  }

  boolean schedulesByHash() {
    return LiveServer.HASHING.contains(configuration.ipvs().scheduler());
  }

  boolean hasExcludedCidrs() {
    return !configuration.ipvs().excludeCIDRs().isEmpty();
  }

  boolean hasTimeouts() {
    return !timeouts().isEmpty();
  }

  boolean hasIpvsGate() {
    return configuration.featureGates().containsKey(ProxyMode.IPVS_GATE);
  }

  /** The bit in use. */
  int bit() {
    return isIpvs()
        ? configuration.ipvs().masqueradeBit()
        : isNftables()
            ? configuration.nftables().masqueradeBit()
            : configuration.iptables().masqueradeBit();
  }

  /** The bit after the move: the one in use, unless another was chosen for the target. */
  int nextBit() {
    int chosen =
        target == ProxyMode.NFTABLES
            ? configuration.nftables().masqueradeBit()
            : configuration.iptables().masqueradeBit();
    return chosen == USUAL_BIT ? bit() : chosen;
  }

  boolean hasUnusualBit() {
    return bit() != USUAL_BIT && bit() == nextBit();
  }

  boolean changesBit() {
    return bit() != nextBit();
  }

  /** Whether nodePorts are served on localhost: a feature of iptables alone, and of IPv4. */
  boolean servesLocalhost() {
    List<String> words = configuration.nodePortAddresses();
    List<Cidr> ranges =
        words.stream()
            .flatMap(word -> Cidr.parse(word).stream())
            .filter(range -> range.family() == IpFamily.IPV4)
            .toList();
    boolean everywhere = ranges.isEmpty() && !words.contains("primary");
    boolean named = words.contains("localhost") || words.contains("all");
    boolean inRange =
        ranges.stream().anyMatch(range -> LOOPBACK.contains(range) || range.contains(LOOPBACK));
    return isIptables()
        && configuration.iptables().localhostNodePorts()
        && (everywhere || named || inRange);
  }

  /** Whether the periods are other than those of a file that does not name them. */
  boolean hasOwnPeriods() {
    return !configuration.syncPeriod().equals(Duration.ofSeconds(30))
        || !configuration.minSyncPeriod().equals(Duration.ofSeconds(1));
  }

  /** The fields that have no place in the new file: those for the target, or all others. */
  List<String> lost(boolean forTarget) {
    Predicate<String> wanted = path -> path.startsWith(target + ".") == forTarget;
    return lost.stream().map(Finding::path).filter(wanted).toList();
  }

  /** What stands in for the words in the texts of items. */
  Map<String, String> words() {
    ProxyConfiguration.Conntrack conntrack = configuration.linux().conntrack();
    String scheduler = configuration.ipvs().scheduler();
    Map<String, String> words = new LinkedHashMap<>();
    boolean toNftables = target == ProxyMode.NFTABLES;
    words.put("mode", mode().toString());
    words.put("target", target.toString());
    words.put("scheduler", scheduler.isEmpty() ? "rr, the default" : scheduler);
    words.put("bound", bound());
    words.put("excluded", String.join(", ", configuration.ipvs().excludeCIDRs()));
    words.put(
        "spare",
        hasExcludedCidrs() ? " The clean-up removes all of IPVS; see exclude-cidrs first." : "");
    words.put("timeouts", String.join(", ", timeouts()));
    words.put(
        "conntrackTcp",
        after(conntrack.tcpEstablishedTimeout(), "according to the kernel's settings"));
    words.put(
        "conntrackUdp",
        after(
            conntrack.udpStreamTimeout(),
            "according to the kernel's settings (usually after 30 s, or 120 s once both sides have"
                + " sent packets)"));
    words.put("bit", Integer.toString(bit()));
    words.put("targetBit", Integer.toString(nextBit()));
    words.put(
        "pingAfter",
        toNftables
            ? "a ping to a cluster IP is rejected, one to another address is routed as usual"
            : "a ping to one of the addresses is routed as usual");
    words.put("syncPeriod", text(configuration.syncPeriod()));
    words.put("minSyncPeriod", text(configuration.minSyncPeriod()));
    KernelModes.of(mode())
        .ifPresent(today -> {
          words.put("affinityToday", today.keepsAffinity());
          words.put("rules", today.isSeenIn());
        });
    words.put(
        "rulesAfter",
        toNftables
            ? "nftables tables: 'nft list tables' lists them"
            : "iptables chains that start with KUBE-: 'iptables-save' lists them");
    words.put("targetFields", String.join(", ", lost(true)));
    words.put("lostFields", String.join(", ", lost(false)));
    node.ifPresent(one -> {
      words.put("kernel", one.kernel());
      words.put("obstacle", one.obstacle().orElse(""));
      words.put("found", String.join("; ", one.found()));
      words.put("unread", String.join("; ", one.unread()));
      words.putAll(one.ipvs().words());
    });
    return words;
  }

  private String bound() {
    String all = "Every cluster IP, external IP and load-balancer IP";
    return services
        .map(MigrationImpact::addresses)
        .map(
            list -> all + " (" + list.size() + (list.size() == 1 ? " address" : " addresses") + ")")
        .orElse(all);
  }

  private List<String> timeouts() {
    Map<String, Duration> times = new LinkedHashMap<>();
    times.put("tcpTimeout", configuration.ipvs().tcpTimeout());
    times.put("tcpFinTimeout", configuration.ipvs().tcpFinTimeout());
    times.put("udpTimeout", configuration.ipvs().udpTimeout());
    List<String> set = new ArrayList<>();
    times.forEach((name, time) -> {
      if (!time.isZero()) {
        set.add(name + " " + text(time));
      }
    });
    return set;
  }

  private static String after(Duration time, String unset) {
    return time.isZero() ? unset : "after " + text(time);
  }

  private static String text(Duration time) {
    long millis = time.toMillis();
    if (millis == 0 || millis % 1000 != 0) {
      return millis == 0 ? "0 s" : millis + " ms";
    }
    long seconds = time.toSeconds();
    return seconds % 3600 == 0
        ? seconds / 3600 + " h"
        : seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
  }
}
