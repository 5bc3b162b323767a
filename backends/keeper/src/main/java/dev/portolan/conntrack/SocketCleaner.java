package dev.portolan.conntrack;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.ConnectedSocket;
import dev.portolan.core.backend.ConnectedSockets;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.netlink.sockets.InetSocket;
import dev.portolan.netlink.sockets.InetSockets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Ends sockets that still go to an endpoint which a change has taken away. Connection tracking
 * knows nothing of them: they were connected to the endpoint itself, in the network namespace of a
 * pod or the node, and without an error their owners would wait for answers forever. Only sockets
 * that asked for a service end, never one that was connected to a pod's own address.
 *
 * <p>The backend's notes say which sockets are concerned; namespaces are searched only for these.
 * Call it after each successful sync, from one thread at a time.
 */
public final class SocketCleaner {
  private static final int UDP_STATES = 1 << InetSocket.ESTABLISHED | 1 << InetSocket.CLOSED;

  /** All but those of sockets that have no peer any more, or never had one. */
  private static final int TCP_STATES =
      (1 << 12) - 2
          & ~(1 << InetSocket.TIME_WAIT | 1 << InetSocket.CLOSED | 1 << InetSocket.LISTENING);

  private final ConnectedSockets notes;
  private final TcpCleaning tcp;
  private final Supplier<List<NetworkNamespace>> namespaces;

  /** The obstacles that were reported, by errno. */
  private final Set<Integer> said = new HashSet<>();

  /** Looks in all network namespaces that this process can find. */
  public SocketCleaner(ConnectedSockets notes, TcpCleaning tcp) {
    this(notes, tcp, NetworkNamespace::others);
  }

  SocketCleaner(
      ConnectedSockets notes, TcpCleaning tcp, Supplier<List<NetworkNamespace>> namespaces) {
    this.notes = notes;
    this.tcp = tcp;
    this.namespaces = namespaces;
  }

  /**
   * Ends the sockets that {@code change} made stale; empty where there was nothing to look for.
   *
   * @throws BackendException where the backend does not know its sockets
   */
  public Optional<Cleaning.Sockets> clean(NodeChange change) {
    StaleFlows stale = StaleFlows.after(change, tcp);
    if (!stale.takesAway()) {
      return Optional.empty();
    }
    Predicate<Ip> isNodeAddress =
        ip ->
            change.before().facts().addresses().contains(ip)
                || change.after().facts().addresses().contains(ip);
    Pass pass = new Pass(stale, isNodeAddress);
    return pass.isEmpty() ? Optional.empty() : Optional.of(pass.run());
  }

  /** One search. */
  private final class Pass {
    private final StaleFlows stale;
    private final Predicate<Ip> isNodeAddress;
    private final Map<Protocol, Map<Long, List<ConnectedSocket>>> wanted =
        new EnumMap<>(Protocol.class);
    private final Set<Long> missing = new HashSet<>();
    private final Set<ConnectedSocket> open = new HashSet<>();
    private final Map<Integer, String> obstacles = new LinkedHashMap<>();
    private int visited;
    private int examined;
    private int ended;

    Pass(StaleFlows stale, Predicate<Ip> isNodeAddress) {
      this.stale = stale;
      this.isNodeAddress = isNodeAddress;
      // The notes do not have a socket's protocol; the kernel has it when the socket is found.
      for (ConnectedSocket socket : notes.all()) {
        for (Protocol protocol : List.of(Protocol.UDP, Protocol.TCP)) {
          if (stale.judge(socket, protocol, false, isNodeAddress)) {
            wanted
                .computeIfAbsent(protocol, _ -> new HashMap<>())
                .computeIfAbsent(socket.cookie(), _ -> new ArrayList<>(1))
                .add(socket);
            missing.add(socket.cookie());
          }
        }
      }
    }

    boolean isEmpty() {
      return wanted.isEmpty();
    }

    Cleaning.Sockets run() {
      long start = System.nanoTime();
      visit(Optional.empty());
      List<NetworkNamespace> others = namespaces.get();
      for (NetworkNamespace namespace : others) {
        if (missing.isEmpty()) {
          break;
        }
        visit(namespace.toOptional());
      }
      Set<ConnectedSocket> closed = new HashSet<>();
      wanted.values().forEach(known -> known.values().forEach(closed::addAll));
      closed.removeAll(open);
      if (others.isEmpty() && closed.size() > ended) {
        obstacles.putIfAbsent(
            0,
            "only one network namespace is visible: let this process see those of pods, with"
                + " hostPID, or with /run/netns of the host");
      }
      if (obstacles.isEmpty()) {
        notes.forget(closed);
      }
      Optional<String> news =
          obstacles.entrySet().stream()
              .filter(obstacle -> said.add(obstacle.getKey()))
              .map(obstacle ->
                  "sockets to endpoints that are gone stay open: " + obstacle.getValue())
              .findFirst();
      return new Cleaning.Sockets(
          visited, examined, ended, news, Duration.ofNanos(System.nanoTime() - start));
    }

    private void visit(Optional<Path> namespace) {
      try (InetSockets sockets = new InetSockets(namespace)) {
        visited++;
        for (Protocol protocol : wanted.keySet()) {
          look(sockets, protocol);
        }
      } catch (NetlinkException e) {
        // A namespace that is gone has no sockets.
        if (e.errno() != Errno.ENOENT) {
          obstacles.putIfAbsent(e.errno(), e.getMessage());
        }
      }
    }

    private void look(InetSockets sockets, Protocol protocol) {
      boolean udp = protocol == Protocol.UDP;
      Map<Long, List<ConnectedSocket>> known = wanted.getOrDefault(protocol, Map.of());
      List<InetSocket> doomed = new ArrayList<>();
      for (InetSocket socket :
          sockets.sockets(udp ? InetSocket.UDP : InetSocket.TCP, udp ? UDP_STATES : TCP_STATES)) {
        examined++;
        boolean answered = socket.state() != InetSocket.SYN_SENT;
        for (ConnectedSocket note : known.getOrDefault(socket.cookie(), List.of())) {
          missing.remove(note.cookie());
          if (goesTo(socket, note) && stale.judge(note, protocol, answered, isNodeAddress)) {
            doomed.add(socket);
          } else {
            open.add(note);
          }
        }
      }
      for (InetSocket socket : doomed) {
        ended += sockets.end(socket) ? 1 : 0;
      }
    }

    /** A socket of UDP that is not connected goes elsewhere with its next datagram. */
    private static boolean goesTo(InetSocket socket, ConnectedSocket note) {
      return socket.remotePort() == note.endpointPort()
          && StaleFlows.ip(socket.remote()).equals(note.endpoint());
    }
  }
}
