package dev.portolan.backend.ipvs;

import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.ServicePort;
import dev.portolan.netlink.ipvs.ServiceSettings;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The scheduler of a virtual server: that of the options, unless the service asks for another way.
 *
 * @param name the kernel's name of it
 * @param flags its flags
 */
record SchedulerChoice(String name, int flags) {
  /** The scheduler that hashes clients as Maglev does. */
  static final String MAGLEV = "mh";

  /** Those that look at weights, in place of those that do not. */
  private static final Map<String, String> WEIGHTED = Map.of("rr", "wrr", "lc", "wlc");

  /**
   * What {@code port} asks for, as far as the kernel has it.
   *
   * @param schedulers whether the kernel has one of that name
   */
  static SchedulerChoice of(ServicePort port, IpvsOptions options, Predicate<String> schedulers) {
    Balancing balancing = port.balancing();
    if (balancing.kind().hashes() && schedulers.test(MAGLEV)) {
      boolean byPort = balancing.kind() == Balancing.Kind.MAGLEV;
      return new SchedulerChoice(MAGLEV, byPort ? ServiceSettings.PORT : 0);
    }
    String usual = options.scheduler();
    String weighted = WEIGHTED.getOrDefault(usual, usual);
    boolean weighs = balancing.isWeighted() && schedulers.test(weighted);
    return new SchedulerChoice(weighs ? weighted : usual, options.flags());
  }
}
