package dev.portolan.walk;

import java.util.List;

/**
 * Rules at the places where the kernel shows packets to them, for what comes between: IPVS takes
 * packets after {@code input}, or between the two parts of {@code output}.
 */
public interface HookedRules {
  /** A packet that arrives, before the kernel decides where it goes. */
  List<Journey> prerouting(Journey start);

  /** A packet for this host, before it is delivered. */
  List<Journey> input(Journey start);

  /** A packet for another host, that came from another one. */
  List<Journey> forward(Journey start);

  /** A packet that this host sends, up to where its destination may be changed. */
  List<Journey> output(Journey start);

  /** A packet that this host sends, after its destination may have been changed. */
  List<Journey> filteredOutput(Journey start);

  /** A packet that leaves. */
  List<Journey> postrouting(Journey start);
}
