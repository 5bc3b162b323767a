package dev.portolan.packets;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Probe;
import dev.portolan.lab.Reply;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Lets a backend program a real kernel, sends the packets, and watches where they come out.
 *
 * <p>A server listens at every address and port of the table, on the node or behind it: a packet
 * that the rules let through is answered there, and is not mistaken for a rejected one.
 */
public final class LabJudge implements Judge {
  private static final int MOST_TRIES = 40;
  private static final int FEWEST_TRIES = 16;
  private static final int STICKY_TRIES = 10;
  private static final int BRIEF_TRIES = 2;

  private final Lab lab;
  private final Function<NodeSettings, FollowingNode> nodes;
  private final int fewestTries;
  private final int stickyTries;
  private final Map<ServiceAt, ReentrantLock> turns = new ConcurrentHashMap<>();

  /** What clients ask for. */
  private record ServiceAt(Protocol protocol, Ip address, int port) {}

  /** Judges by what {@code backend} makes of the node of {@code lab}. */
  public LabJudge(Lab lab, BackendUnderTest backend) {
    this(lab, settings -> new NodeUnderTest(lab.node(), backend, settings));
  }

  private LabJudge(Lab lab, Function<NodeSettings, FollowingNode> nodes) {
    this(lab, nodes, FEWEST_TRIES, STICKY_TRIES);
  }

  private LabJudge(
      Lab lab, Function<NodeSettings, FollowingNode> nodes, int fewestTries, int stickyTries) {
    this.lab = lab;
    this.nodes = nodes;
    this.fewestTries = fewestTries;
    this.stickyTries = stickyTries;
  }

  /** Judges by what happens on the node of {@code lab}, which {@code nodes} sets to work. */
  public static LabJudge of(Lab lab, Function<NodeSettings, FollowingNode> nodes) {
    return new LabJudge(lab, nodes);
  }

  /**
   * The same with fewer packets for each row, where a packet takes long: all endpoints are seen,
   * but one that should not be there may be missed.
   */
  public LabJudge brief() {
    return new LabJudge(lab, nodes, BRIEF_TRIES, BRIEF_TRIES);
  }

  @Override
  public Sitting open(PacketTable table) {
    for (Packet packet : table.packets()) {
      Actor behind = Actor.at(packet.address()).orElse(Actor.ROUTER);
      lab.listen(behind, packet.protocol(), packet.address(), packet.port());
    }
    FollowingNode node = nodes.apply(table.settings());
    try {
      node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
    } catch (RuntimeException e) {
      node.close();
      throw e;
    }
    return new Sitting() {
      @Override
      public Outcome judge(Packet packet) {
        return send(packet);
      }

      @Override
      public void close() {
        node.close();
      }
    };
  }

  private Outcome send(Packet packet) {
    Outcome expected = packet.expected();
    return expected.verdict() == Verdict.FORWARD ? sendInTurn(packet) : outcome(ask(packet));
  }

  /**
   * Sends while no other client asks for the same: where endpoints take turns, clients that do so
   * too would each see the same endpoint forever.
   */
  private Outcome sendInTurn(Packet packet) {
    ReentrantLock turn =
        turns.computeIfAbsent(
            new ServiceAt(packet.protocol(), packet.address(), packet.port()),
            key -> new ReentrantLock());
    turn.lock();
    try {
      return sendMany(packet);
    } finally {
      turn.unlock();
    }
  }

  private Reply ask(Packet packet) {
    Duration patience = packet.expected().verdict() == Verdict.DROP ? Probe.SHORT : Probe.PATIENT;
    return lab.probe(packet.from())
        .ask(packet.protocol(), packet.address(), packet.port(), patience);
  }

  /** Sends until every expected endpoint was seen, and some more to see the unexpected. */
  private Outcome sendMany(Packet packet) {
    Map<String, Boolean> expected = packet.expected().endpoints();
    boolean sticky = packet.expected().sticky();
    Map<String, Boolean> seen = new TreeMap<>();
    for (int tries = 0; tries < (sticky ? stickyTries : MOST_TRIES); tries++) {
      boolean enough = seen.equals(expected) && tries >= fewestTries;
      if (enough) {
        break;
      }
      Reply reply = askUntilClear(() -> ask(packet));
      Outcome one = outcome(reply, sticky);
      if (!isAsExpected(packet, reply)) {
        return tries == 0 ? one : Outcome.strange(one + " on try " + (tries + 1) + ": " + reply);
      }
      seen.putAll(one.endpoints());
      if (!sticky && !seen.equals(expected) && ThreadLocalRandom.current().nextBoolean()) {
        // A client whose every question is two would see every other endpoint alone.
        Reply _ = ask(packet);
      }
    }
    if (!sticky) {
      return Outcome.forwarded(seen, false);
    }
    // A client that sticks sees one of the endpoints, and all of the table's row with it.
    return seen.size() == 1 ? packet.expected() : Outcome.forwarded(seen, false);
  }

  /** Whether a reply is one of those that a row which is forwarded allows. */
  public static boolean isAsExpected(Packet packet, Reply reply) {
    Outcome outcome = outcome(reply);
    return outcome.verdict() == Verdict.FORWARD
        && packet.expected().endpoints().entrySet().containsAll(outcome.endpoints().entrySet());
  }

  /**
   * Asks, and again where the reply leaves in doubt whether it was masqueraded: what the node
   * itself sends has the node's address before and after. By chance even the port is the same; and
   * by chance it is another one without masquerading, where the same two ends are connected
   * already.
   */
  public static Reply askUntilClear(Supplier<Reply> question) {
    Reply reply = question.get();
    if (!isFromNode(reply)) {
      return reply;
    }
    Reply second = question.get();
    return isSourceKept(reply) == isSourceKept(second) ? second : question.get();
  }

  private static boolean isFromNode(Reply reply) {
    return reply instanceof Reply.Answered answer && Actor.isOfNode(answer.sent().address());
  }

  private static boolean isSourceKept(Reply reply) {
    return reply instanceof Reply.Answered answer && answer.isSourceKept();
  }

  /** What one reply says of the way that its packet went. */
  public static Outcome outcome(Reply reply) {
    return outcome(reply, false);
  }

  private static Outcome outcome(Reply reply, boolean sticky) {
    return switch (reply) {
      case Reply.Rejected() -> Outcome.ended(Verdict.REJECT);
      case Reply.Dropped() -> Outcome.ended(Verdict.DROP);
      case Reply.Broken(String why) -> Outcome.strange(why);
      case Reply.Answered answer -> answered(answer, sticky);
    };
  }

  private static Outcome answered(Reply.Answered answer, boolean sticky) {
    boolean pod = Actor.labelled(answer.name()).filter(Actor.PODS::contains).isPresent();
    if (!pod) {
      return answer.isSourceKept()
          ? Outcome.ended(Verdict.NONE)
          : Outcome.strange("let through, but with another source: " + answer);
    }
    boolean masqueraded = !answer.isSourceKept();
    if (masqueraded && !Actor.isOfNode(answer.source().address())) {
      return Outcome.strange("masqueraded behind an address that is not the node's: " + answer);
    }
    return Outcome.forwarded(
        Map.of(Endpoints.name(answer.name(), answer.port()), masqueraded), sticky);
  }
}
