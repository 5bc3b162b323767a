package dev.portolan.inspection.trace;

import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Verdict;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.route.Link;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Waiting;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.nft.NftRuleset;
import dev.portolan.walk.nft.live.LivePacket;
import dev.portolan.walk.nft.live.LiveTrace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Watches real packets of one connection in the kernel.
 *
 * @param longest how long to wait for them
 * @param written the same, as the user wrote it
 * @param count how many are enough
 */
record LiveWatch(Duration longest, String written, int count) {
  /** The connection with the packets that were seen of it. */
  List<TracedConnection> packets(
      List<TracedConnection> traced,
      Ruleset rules,
      Optional<Path> namespace,
      @Nullable String client,
      Remarks remarks) {
    if (!(rules instanceof NftRuleset nftables)) {
      throw CommandFailure.refused(
          ErrorCode.HOST,
          "--live: the kernel traces rules of nftables only, and services are served here by "
              + rules.description()
              + "; remove --live");
    }
    if (traced.size() != 1) {
      throw CommandFailure.usage(
          "--live: "
              + traced.size()
              + " addresses are meant, and one can be watched; write one of them, as in "
              + traced.getFirst().explanation().subject());
    }
    TracedConnection one = traced.getFirst();
    Optional<Ip> source = Optional.ofNullable(client).flatMap(Ip::parse);
    List<LivePacket> seen = new ArrayList<>();
    try (LiveTrace trace = new LiveTrace(namespace, one.packet(), source, nftables);
        Waiting _ =
            Waiting.announce(
                () -> "waiting for a connection to " + one.explanation().subject(), remarks)) {
      long end = System.nanoTime() + longest.toNanos();
      while (seen.size() < count && System.nanoTime() < end) {
        trace.next(Duration.ofNanos(Math.max(1, end - System.nanoTime()))).ifPresent(seen::add);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (NetlinkException e) {
      if (e.errno() == Errno.EEXIST) {
        throw CommandFailure.refused(
            ErrorCode.LOCKED,
            "--live: the table "
                + LiveTrace.TABLE
                + " is there already: another 'portolan trace --live' runs on this node; wait for"
                + " its end");
      }
      throw e;
    }
    if (seen.isEmpty()) {
      remarks.say(
          "no new connection to " + one.explanation().subject() + " was seen within " + written);
    }
    return List.of(one.with(seen, differences(one.packet(), nftables, seen)));
  }

  /** A real packet is compared with the walk of one from the same client. */
  private static List<String> differences(
      FirstPacket imagined, NftRuleset rules, List<LivePacket> seen) {
    List<String> differences = new ArrayList<>();
    for (LivePacket packet : seen) {
      String who = "the packet from " + packet.source().withPort(packet.sourcePort());
      WalkResult walked = rules.walk(like(imagined, packet, rules.network()));
      boolean ended = walked.verdict() == Verdict.DROP || walked.verdict() == Verdict.REJECT;
      if (ended != (packet.verdict() == Verdict.DROP)) {
        differences.add(
            who
                + " met "
                + packet.verdict()
                + " in the kernel, where the rules say "
                + walked.verdict());
      }
      packet
          .endpoint()
          .filter(to ->
              walked.ways().stream()
                  .noneMatch(way -> way.address().equals(to.address()) && way.port() == to.port()))
          .ifPresent(to -> differences.add(who + " went to " + to + ", where no rule leads"));
    }
    return differences;
  }

  private static FirstPacket like(FirstPacket imagined, LivePacket seen, NodeNetwork network) {
    return new FirstPacket(
        seen.source(),
        seen.sourcePort(),
        imagined.destination(),
        imagined.port(),
        imagined.protocol(),
        network.isLocal(seen.source())
            ? Optional.empty()
            : Optional.of(network.linkTo(seen.source()).map(Link::name).orElse("")));
  }
}
