package dev.portolan.backend.userspace;

import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.Endpoint;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * How the backend works.
 *
 * @param nftables the options of the rules that lead to the portals; its namespace is that of the
 *     sockets too
 * @param portals how clients come to the portals
 * @param udpIdle after how long without a packet a client of UDP is forgotten
 * @param drain how long open connections may go on when the backend is closed
 * @param reached where an endpoint is reached from here: at its own address, usually
 * @param access is given each connection that has ended; must not wait
 * @param log is given what an operator should know, as sentences
 */
public record UserspaceOptions(
    NftablesOptions nftables,
    Portals portals,
    Duration udpIdle,
    Duration drain,
    Function<Endpoint, InetSocketAddress> reached,
    Consumer<AccessEntry> access,
    Consumer<String> log) {
  /** Rules of nftables; UDP is idle after 30 seconds, and connections drain for 10. */
  public static final UserspaceOptions DEFAULT =
      new UserspaceOptions(
          NftablesOptions.DEFAULT,
          Portals.NFTABLES,
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Sockets::address,
          entry -> {},
          line -> {});

  /** The same with other rules. */
  public UserspaceOptions with(NftablesOptions rules) {
    return new UserspaceOptions(rules, portals, udpIdle, drain, reached, access, log);
  }

  /** The same in another network namespace. */
  public UserspaceOptions in(Path namespace) {
    return with(nftables.in(Optional.of(namespace)));
  }

  /** The same with another way to the portals. */
  public UserspaceOptions with(Portals way) {
    return new UserspaceOptions(nftables, way, udpIdle, drain, reached, access, log);
  }

  /** The same where clients of UDP are forgotten after another time. */
  public UserspaceOptions udpIdle(Duration time) {
    return new UserspaceOptions(nftables, portals, time, drain, reached, access, log);
  }

  /** The same where connections may go on for another time. */
  public UserspaceOptions drain(Duration time) {
    return new UserspaceOptions(nftables, portals, udpIdle, time, reached, access, log);
  }

  /** The same where endpoints are reached elsewhere than at their own addresses. */
  public UserspaceOptions reached(Function<Endpoint, InetSocketAddress> place) {
    return new UserspaceOptions(nftables, portals, udpIdle, drain, place, access, log);
  }

  /** The same, which hands over connections that have ended. */
  public UserspaceOptions access(Consumer<AccessEntry> sink) {
    return new UserspaceOptions(nftables, portals, udpIdle, drain, reached, sink, log);
  }

  /** The same, which says what an operator should know. */
  public UserspaceOptions log(Consumer<String> sink) {
    return new UserspaceOptions(nftables, portals, udpIdle, drain, reached, access, sink);
  }

  /** The network namespace of the sockets, if not this process's own. */
  Optional<Path> namespace() {
    return nftables.namespace();
  }

  /** What happens to packets that no endpoint gets. */
  public Dataplane dataplane() {
    return new UserspaceDataplane(
        switch (portals) {
          case NFTABLES -> nftables.dataplane().listeners();
          case LISTEN -> Optional.empty();
        });
  }
}
