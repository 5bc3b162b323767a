package dev.portolan.backend.nftables;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Dataplane;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How the backend works.
 *
 * @param table the name of its tables
 * @param masqueradeBit which bit of a packet's mark asks for masquerading
 * @param namespace the network namespace to work in, if not this process's own
 * @param rejectedOnLocalhost of which protocols nodePorts are rejected and counted on the loopback
 *     addresses of a family; a family that is not in it is left alone there
 * @param counting whether the connections of each service are counted
 */
public record NftablesOptions(
    String table,
    int masqueradeBit,
    Optional<Path> namespace,
    Map<IpFamily, Set<Protocol>> rejectedOnLocalhost,
    boolean counting) {
  /** Table {@code portolan}, bit 14, this process's namespace. */
  public static final NftablesOptions DEFAULT =
      new NftablesOptions("portolan", 14, Optional.empty());

  /** Options that leave localhost alone. */
  public NftablesOptions(String table, int masqueradeBit, Optional<Path> namespace) {
    this(table, masqueradeBit, namespace, Map.of(), false);
  }

  public NftablesOptions {
    rejectedOnLocalhost = Map.copyOf(rejectedOnLocalhost);
    if (masqueradeBit < 0 || masqueradeBit > 31) {
      throw new IllegalArgumentException(
          "the masquerade bit must be between 0 and 31, not " + masqueradeBit);
    }
  }

  /** The same, which rejects nodePorts of these protocols on localhost. */
  public NftablesOptions rejectingOnLocalhost(Map<IpFamily, Set<Protocol>> protocols) {
    return new NftablesOptions(table, masqueradeBit, namespace, protocols, counting);
  }

  /** The same in another network namespace. */
  public NftablesOptions in(Optional<Path> place) {
    return new NftablesOptions(table, masqueradeBit, place, rejectedOnLocalhost, counting);
  }

  /** The same, which counts the connections of each service, or does not. */
  public NftablesOptions counting(boolean whether) {
    return new NftablesOptions(table, masqueradeBit, namespace, rejectedOnLocalhost, whether);
  }

  /** The maps in which a connection finds its service. */
  ServiceMaps maps() {
    return ServiceMaps.counting(counting);
  }

  /** What the rules do with packets that no endpoint gets. */
  public Dataplane dataplane() {
    return new NftablesDataplane(
        Optional.of(
                Arrays.stream(IpFamily.values())
                    .filter(family -> !rejected(family).contains(Protocol.TCP))
                    .collect(Collectors.toUnmodifiableSet()))
            .filter(_ -> !rejectedOnLocalhost.isEmpty()));
  }

  private Set<Protocol> rejected(IpFamily family) {
    return rejectedOnLocalhost.getOrDefault(family, Set.of());
  }

  /** The bit as a number. */
  int mark() {
    return 1 << masqueradeBit;
  }
}
