package dev.portolan.walk.kernel;

import dev.portolan.backend.ebpf.EbpfOptions;
import dev.portolan.backend.ebpf.SocketTranslation;
import dev.portolan.bpf.SocketHook;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Verdict;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.ServedPlace;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkResult.Way;
import dev.portolan.walk.WalkStep;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Sockets of the node and its pods that are connected to endpoints, on top of other rules. A packet
 * of such a socket never has the address of the service: it begins its way with that of an
 * endpoint. Everything else is as the other rules say.
 */
public final class EbpfRuleset implements Ruleset {
  private final Map<Asked, SocketTranslation> sockets = new HashMap<>();
  private final Set<SocketHook> hooks;
  private final Ruleset rules;
  private final Predicate<FirstPacket> ofSocket;

  private record Asked(Ip address, int port, Protocol protocol) {}

  /**
   * What is done to sockets at {@code hooks}.
   *
   * @param rules what all packets meet
   * @param ofSocket whether a packet is sent by a socket of this node or one of its pods
   */
  public EbpfRuleset(
      Collection<SocketTranslation> sockets,
      Set<SocketHook> hooks,
      Ruleset rules,
      Predicate<FirstPacket> ofSocket) {
    sockets.forEach(it -> this.sockets.put(new Asked(it.address(), it.port(), it.protocol()), it));
    this.hooks = Set.copyOf(hooks);
    this.rules = rules;
    this.ofSocket = ofSocket;
  }

  /** Reads the pinned maps; empty where no program of ours is attached. */
  public static Optional<EbpfRuleset> read(
      EbpfOptions options, Ruleset rules, Predicate<FirstPacket> ofSocket) {
    Set<SocketHook> hooks = SocketTranslation.hooks(options);
    return hooks.isEmpty()
        ? Optional.empty()
        : Optional.of(new EbpfRuleset(SocketTranslation.read(options), hooks, rules, ofSocket));
  }

  /** The rules that all packets meet. */
  public Ruleset rules() {
    return rules;
  }

  @Override
  public String description() {
    return "sockets translated with eBPF, and " + rules.description();
  }

  /** What the rules say, and what sockets alone are translated for. */
  @Override
  public Set<ServedPlace> served() {
    Set<ServedPlace> served = new LinkedHashSet<>(rules.served());
    Set<Asked> known = new LinkedHashSet<>();
    for (ServedPlace place : served) {
      place.address().ifPresent(it -> known.add(new Asked(it, place.port(), place.protocol())));
    }
    for (Asked asked : sockets.keySet()) {
      ServedPlace nodePort =
          new ServedPlace(asked.address.family(), asked.protocol, Optional.empty(), asked.port, "");
      boolean isKnown =
          known.contains(asked) || served.stream().anyMatch(it -> isSameNodePort(it, nodePort));
      if (!isKnown) {
        served.add(
            new ServedPlace(
                asked.address.family(),
                asked.protocol,
                Optional.of(asked.address),
                asked.port,
                ""));
      }
    }
    return served;
  }

  private static boolean isSameNodePort(ServedPlace one, ServedPlace other) {
    return one.address().isEmpty()
        && one.port() == other.port()
        && one.protocol() == other.protocol()
        && one.family() == other.family();
  }

  @Override
  public WalkResult walk(FirstPacket packet) {
    SocketTranslation socket =
        sockets.get(new Asked(packet.destination(), packet.port(), packet.protocol()));
    return socket == null || !isAttached(packet) || !ofSocket.test(packet)
        ? rules.walk(packet)
        : connected(packet, socket);
  }

  private boolean isAttached(FirstPacket packet) {
    return hooks.contains(
        packet.destination().family() == IpFamily.IPV4 ? SocketHook.CONNECT4 : SocketHook.CONNECT6);
  }

  private WalkResult connected(FirstPacket packet, SocketTranslation socket) {
    String asked = packet.destination().withPort(packet.port()) + "/" + packet.protocol();
    if (socket.isRefused()) {
      return new WalkResult(
          Verdict.REJECT, List.of(), List.of(new WalkStep("socket connect", asked, "refused")), "");
    }
    int slots = socket.endpoints().size() + socket.missing();
    Map<SocketTranslation.Place, Integer> counts = new LinkedHashMap<>();
    socket.endpoints().forEach(endpoint -> counts.merge(endpoint, 1, Integer::sum));
    List<Way> ways = new ArrayList<>();
    List<WalkStep> steps = new ArrayList<>();
    Set<String> remarks = new LinkedHashSet<>();
    Set<Verdict> ends = new LinkedHashSet<>();
    if (socket.missing() > 0) {
      remarks.add("of %d slots for %s, %d are missing".formatted(slots, asked, socket.missing()));
    }
    counts.forEach((place, count) -> {
      WalkResult further = rules.walk(to(packet, place));
      boolean goesOn = further.verdict() == Verdict.NONE || further.verdict() == Verdict.FORWARD;
      ends.add(goesOn ? Verdict.FORWARD : further.verdict());
      if (!further.remark().isEmpty()) {
        remarks.add(further.remark());
      }
      if (steps.isEmpty()) {
        steps.add(new WalkStep("socket connect", asked, "connect to " + place));
        steps.addAll(further.steps());
      }
      if (goesOn) {
        ways.add(
            new Way(place.address(), place.port(), false, (double) count / slots, isKept(socket)));
      }
    });
    if (ends.size() > 1) {
      remarks.add("connections end differently: " + ends);
    }
    Verdict verdict =
        ends.contains(Verdict.FORWARD) || ends.isEmpty() ? Verdict.FORWARD : ends.iterator().next();
    return new WalkResult(verdict, ways, steps, String.join("; ", remarks));
  }

  private static boolean isKept(SocketTranslation socket) {
    return socket.affinity() > 0;
  }

  private static FirstPacket to(FirstPacket packet, SocketTranslation.Place place) {
    return new FirstPacket(
        packet.source(),
        packet.sourcePort(),
        place.address(),
        place.port(),
        packet.protocol(),
        packet.arrivesThrough());
  }
}
