package dev.portolan.daemon.host;

import dev.portolan.config.fields.ProxyConfiguration.Conntrack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A number that the configuration wants in one of the kernel's files.
 *
 * @param file the file, below the root
 * @param setting the field of the configuration that wants it
 * @param atLeast whether more is as good, so that the number is only ever raised
 */
record ConntrackTarget(String file, long value, String setting, boolean atLeast) {
  static final String MAX = "proc/sys/net/netfilter/nf_conntrack_max";
  static final String HASH_SIZE = "sys/module/nf_conntrack/parameters/hashsize";

  /** What many processors alone may raise the number of flows to; each flow takes memory. */
  private static final long MOST_BY_PROCESSORS = 1 << 20;

  private static final String FOLDER = "proc/sys/net/netfilter/nf_conntrack_";
  private static final int FLOWS_PER_BUCKET = 4;

  /**
   * Everything that {@code config} wants on a host with {@code processors} processors, in order.
   */
  static List<ConntrackTarget> of(Conntrack config, int processors) {
    List<ConntrackTarget> targets = new ArrayList<>();
    if (config.maxPerCore() > 0) {
      long scaled = Math.min((long) config.maxPerCore() * processors, MOST_BY_PROCESSORS);
      long max = Math.max(scaled, config.min());
      targets.add(new ConntrackTarget(MAX, max, "conntrack.maxPerCore", true));
      targets.add(
          new ConntrackTarget(HASH_SIZE, max / FLOWS_PER_BUCKET, "conntrack.maxPerCore", true));
    }
    timeout(
        targets,
        "tcp_timeout_established",
        "tcpEstablishedTimeout",
        config.tcpEstablishedTimeout());
    timeout(targets, "tcp_timeout_close_wait", "tcpCloseWaitTimeout", config.tcpCloseWaitTimeout());
    if (config.tcpBeLiberal()) {
      targets.add(
          new ConntrackTarget(FOLDER + "tcp_be_liberal", 1, "conntrack.tcpBeLiberal", false));
    }
    timeout(targets, "udp_timeout", "udpTimeout", config.udpTimeout());
    timeout(targets, "udp_timeout_stream", "udpStreamTimeout", config.udpStreamTimeout());
    return targets;
  }

  /** Whether the kernel's number will do. */
  boolean isMetBy(long present) {
    return atLeast ? present >= value : present == value;
  }

  /** The name that an administrator knows the file by. */
  String name() {
    return file.startsWith("proc/sys/")
        ? file.substring("proc/sys/".length()).replace('/', '.')
        : "/" + file;
  }

  /** A timeout in whole seconds, at least one: the kernel would end flows at once for 0. */
  private static void timeout(
      List<ConntrackTarget> targets, String file, String setting, Duration duration) {
    if (duration.isPositive()) {
      long seconds = Math.max(1, duration.toSeconds());
      targets.add(new ConntrackTarget(FOLDER + file, seconds, "conntrack." + setting, false));
    }
  }
}
