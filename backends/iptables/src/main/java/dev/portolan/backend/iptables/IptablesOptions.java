package dev.portolan.backend.iptables;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodePortAddresses;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the backend works.
 *
 * @param masqueradeBit which bit of a packet's mark asks for masquerading
 * @param localhostNodePorts whether nodePorts are served on 127.0.0.0/8 too, where the node's
 *     nodePort addresses have it; IPv6 cannot do that
 * @param variant which of the two kinds of iptables to use
 * @param lockWait how long to wait for others who change rules
 * @param lookEvery how often to look whether our rules were flushed
 * @param largeClusterEndpoints with more endpoints than this, rules of endpoints have no comments
 * @param conntrackLiberal whether packets that fit no connection are let through even where the
 *     kernel's own setting is not liberal
 * @param namespace the network namespace to work in, if not this process's own
 * @param programs the folders that may hold iptables' programs
 */
public record IptablesOptions(
    int masqueradeBit,
    boolean localhostNodePorts,
    Variant variant,
    Duration lockWait,
    Duration lookEvery,
    int largeClusterEndpoints,
    boolean conntrackLiberal,
    Optional<Path> namespace,
    List<Path> programs) {
  /** The folders in which programs for administrators are. */
  public static final List<Path> USUAL_FOLDERS =
      List.of(
          Path.of("/usr/local/sbin"),
          Path.of("/usr/sbin"),
          Path.of("/sbin"),
          Path.of("/usr/bin"),
          Path.of("/bin"));

  /** As kube-proxy does it: bit 14, nodePorts on localhost, the host's own iptables. */
  public static final IptablesOptions DEFAULT =
      new IptablesOptions(
          14,
          true,
          Variant.AUTO,
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          1000,
          false,
          Optional.empty(),
          USUAL_FOLDERS);

  /** The two kinds of iptables: their rules live in different places of the kernel. */
  public enum Variant {
    /** The one that the host uses. */
    AUTO,
    /** The newer one, on top of nf_tables. */
    NFT,
    /** The older one. */
    LEGACY
  }

  public IptablesOptions {
    if (masqueradeBit < 0 || masqueradeBit > 31) {
      throw new IllegalArgumentException(
          "the masquerade bit must be between 0 and 31, not " + masqueradeBit);
    }
    if (lockWait.isNegative()) {
      throw new IllegalArgumentException(
          "the lock timeout must not be negative, but is " + lockWait + "");
    }
    if (!lookEvery.isPositive()) {
      throw new IllegalArgumentException(
          "the check interval must be positive, but is " + lookEvery + "");
    }
    programs = List.copyOf(programs);
  }

  /** What the rules do with packets that no endpoint gets. */
  public Dataplane dataplane() {
    return new Rules(localhostNodePorts);
  }

  /** The same in another network namespace. */
  public IptablesOptions in(Optional<Path> place) {
    return new IptablesOptions(
        masqueradeBit,
        localhostNodePorts,
        variant,
        lockWait,
        lookEvery,
        largeClusterEndpoints,
        conntrackLiberal,
        place,
        programs);
  }

  /** The same with another bit for masquerading. */
  public IptablesOptions withMasqueradeBit(int bit) {
    return new IptablesOptions(
        bit,
        localhostNodePorts,
        variant,
        lockWait,
        lookEvery,
        largeClusterEndpoints,
        conntrackLiberal,
        namespace,
        programs);
  }

  /** The same with one kind of iptables. */
  public IptablesOptions with(Variant kind) {
    return new IptablesOptions(
        masqueradeBit,
        localhostNodePorts,
        kind,
        lockWait,
        lookEvery,
        largeClusterEndpoints,
        conntrackLiberal,
        namespace,
        programs);
  }

  /**
   * Ends connections without endpoints in the chain of filtered packets, whoever sends them and to
   * whichever address of the node, and has no rule for addresses and ports that no service has.
   *
   * @param servesLocalhost whether nodePorts are served on 127.0.0.0/8
   */
  private record Rules(boolean servesLocalhost) implements Dataplane {
    @Override
    public String name() {
      return "iptables";
    }

    @Override
    public boolean filters(ServicePort port, ServiceAddress address) {
      return port.forwards(address);
    }

    @Override
    public boolean endsOwnConnections() {
      return false;
    }

    @Override
    public Verdict elsewhere(ServicePort port) {
      Verdict verdict = port.verdict(Traffic.EXTERNAL);
      return verdict == Verdict.FORWARD ? Verdict.NONE : verdict;
    }

    @Override
    public boolean servesNodePorts(NodeFacts facts, Ip address) {
      if (!address.isLoopback()) {
        return facts.servesNodePorts(address);
      }
      NodePortAddresses chosen = facts.nodePorts(address.family());
      return servesLocalhost
          && address.family() == IpFamily.IPV4
          && (chosen.all() || chosen.ranges().stream().anyMatch(range -> range.contains(address)));
    }

    @Override
    public Verdict unusedPort() {
      return Verdict.NONE;
    }

    @Override
    public Verdict unassigned() {
      return Verdict.NONE;
    }

    @Override
    public boolean hashesClients() {
      return false;
    }
  }
}
