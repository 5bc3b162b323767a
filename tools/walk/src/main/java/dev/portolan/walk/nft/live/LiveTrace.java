package dev.portolan.walk.nft.live;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Verdict;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.nftables.Batch;
import dev.portolan.nftables.Expressions;
import dev.portolan.nftables.Hook;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.table.Keys;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.WalkStep;
import dev.portolan.walk.nft.NftRuleset;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Lets the kernel trace real packets: the first ones of new connections to one destination. The
 * rules for that are in a table of its own, which the kernel removes when this is closed, and also
 * when the process ends in any other way.
 */
public final class LiveTrace implements AutoCloseable {
  /** The table with the rules that ask for traces. */
  public static final String TABLE = "portolan-trace";

  /** After conntrack, which knows what is new, and before everything that changes packets. */
  private static final int PRIORITY = -199;

  private static final int NEW = 8;

  /** After this time without news, a packet has passed the last hook. */
  private static final Duration SILENCE = Duration.ofMillis(250);

  private final NftRuleset rules;
  private final Nftables kernel;
  private final TraceMonitor monitor;
  private final Map<Integer, Gathering> open = new LinkedHashMap<>();

  /** What the kernel has reported of one packet so far. */
  private static final class Gathering {
    private final List<TraceNotice.Met> met = new ArrayList<>();
    private long last = System.nanoTime();
  }

  /**
   * Traces connections to where {@code packet} goes.
   *
   * @param source the client whose connections are meant; empty for all
   * @param rules what the rules are called that packets meet
   */
  public LiveTrace(
      Optional<Path> namespace, FirstPacket packet, Optional<Ip> source, NftRuleset rules) {
    this.rules = rules;
    monitor = new TraceMonitor(namespace);
    Nftables connection = null;
    try {
      connection = new Nftables(namespace);
      connection.commit(batch(packet, source));
      kernel = connection;
    } catch (NetlinkException e) {
      if (connection != null) {
        connection.close();
      }
      monitor.close();
      throw e;
    }
  }

  private static Batch batch(FirstPacket packet, Optional<Ip> source) {
    boolean v4 = packet.destination().family() == IpFamily.IPV4;
    Batch batch = new Batch(TABLE).family(v4 ? AddressFamily.IPV4 : AddressFamily.IPV6);
    batch.addOwnedTable("traces connections for portolan trace");
    for (Hook.Point point : List.of(Hook.Point.PREROUTING, Hook.Point.OUTPUT)) {
      String chain = point.name().toLowerCase(Locale.ROOT);
      batch.addChain(chain, Optional.of(Hook.filter(point, PRIORITY)), "");
      batch.addRule(chain, expressions(packet, source, v4), "");
    }
    return batch;
  }

  private static Expressions expressions(FirstPacket packet, Optional<Ip> source, boolean v4) {
    int length = v4 ? 4 : 16;
    Expressions all =
        new Expressions()
            .payload(1, Expressions.NETWORK_HEADER, v4 ? 16 : 24, length)
            .compare(1, true, packet.destination().toBytes());
    source.ifPresent(ip ->
        all.payload(1, Expressions.NETWORK_HEADER, v4 ? 12 : 8, length)
            .compare(1, true, ip.toBytes()));
    return all.meta(1, Expressions.META_L4PROTO)
        .compare(1, true, new byte[] {(byte) Keys.number(packet.protocol())})
        .payload(1, Expressions.TRANSPORT_HEADER, 2, 2)
        .compare(1, true, new byte[] {(byte) (packet.port() >>> 8), (byte) packet.port()})
        .ct(1, Expressions.CT_STATE)
        .bitwise(1, MessageWriter.nativeBytes(NEW), new byte[4])
        .compare(1, false, new byte[4])
        .trace(1);
  }

  /** The next packet that has gone its way to the end; nothing where none has in that time. */
  public Optional<LivePacket> next(Duration wait) throws InterruptedException {
    long deadline = System.nanoTime() + wait.toNanos();
    while (true) {
      Optional<LivePacket> done = done();
      if (done.isPresent()) {
        return done;
      }
      long left = deadline - System.nanoTime();
      if (left <= 0 && open.isEmpty()) {
        return Optional.empty();
      }
      Duration slice = Duration.ofNanos(Math.clamp(left, 1, SILENCE.toNanos() / 2));
      monitor.next(slice).ifPresent(this::take);
    }
  }

  private void take(TraceNotice notice) {
    if (notice instanceof TraceNotice.Met met) {
      Gathering gathering = open.computeIfAbsent(met.id(), id -> new Gathering());
      gathering.met.add(met);
      gathering.last = System.nanoTime();
    }
  }

  private Optional<LivePacket> done() {
    for (Map.Entry<Integer, Gathering> entry : open.entrySet()) {
      Gathering gathering = entry.getValue();
      boolean ended = gathering.met.getLast().drops();
      if (ended || System.nanoTime() - gathering.last > SILENCE.toNanos()) {
        open.remove(entry.getKey());
        return Optional.of(packet(gathering.met));
      }
    }
    return Optional.empty();
  }

  private LivePacket packet(List<TraceNotice.Met> met) {
    List<WalkStep> steps = new ArrayList<>();
    Optional<LivePacket.Endpoint> first = Optional.empty();
    Optional<LivePacket.Endpoint> last = Optional.empty();
    Ip source = Ip.any(IpFamily.IPV4);
    int sourcePort = 0;
    for (TraceNotice.Met each : met) {
      Optional<LivePacket.Endpoint> destination = end(each, false);
      if (destination.isPresent() && first.isEmpty()) {
        first = destination;
        LivePacket.Endpoint from = end(each, true).orElseThrow();
        source = from.address();
        sourcePort = from.port();
      }
      last = destination.isPresent() ? destination : last;
      step(each).ifPresent(steps::add);
    }
    Optional<LivePacket.Endpoint> changed = last.equals(first) ? Optional.empty() : last;
    Verdict verdict =
        met.getLast().drops() ? Verdict.DROP : changed.isPresent() ? Verdict.FORWARD : Verdict.NONE;
    return new LivePacket(source, sourcePort, verdict, changed, steps);
  }

  /**
   * A rule that the packet met, unless it is the one that asked for the trace. The end of a chain
   * is reported like a rule without a handle.
   */
  private Optional<WalkStep> step(TraceNotice.Met met) {
    boolean nothing = met.kind() == TraceNotice.Kind.RULE && met.rule() == 0;
    if (nothing || met.table().name().equals(TABLE)) {
      return Optional.empty();
    }
    String verdict = met.verdict().map(NftVerdict::toString).orElse("continue");
    return switch (met.kind()) {
      case RULE ->
          Optional.of(
              rules
                  .rule(met.table(), met.chain(), met.rule())
                  .map(rule -> new WalkStep(rule.place(), rule.rule(), verdict))
                  .orElseGet(() ->
                      new WalkStep(
                          met.table() + " " + met.chain() + " handle " + met.rule(), "", verdict)));
      case POLICY ->
          met.drops()
              ? Optional.of(new WalkStep(met.table() + " " + met.chain(), "policy drop", "drop"))
              : Optional.empty();
      case RETURN -> Optional.empty();
    };
  }

  /** One end of the packet as it was there; nothing where the kernel did not repeat its headers. */
  private static Optional<LivePacket.Endpoint> end(TraceNotice.Met met, boolean source) {
    byte[] header = met.network();
    if (header.length < 20 || met.transport().length < 4) {
      return Optional.empty();
    }
    boolean v4 = (header[0] & 0xf0) == 0x40;
    if (!v4 && header.length < 40) {
      return Optional.empty();
    }
    int length = v4 ? 4 : 16;
    int start = (v4 ? 12 : 8) + (source ? 0 : length);
    int port = ByteBuffer.wrap(met.transport()).getShort(source ? 0 : 2) & 0xffff;
    return Optional.of(
        new LivePacket.Endpoint(
            Ip.fromBytes(Arrays.copyOfRange(header, start, start + length)), port));
  }

  /** Removes the rules that ask for traces. */
  @Override
  public void close() {
    kernel.close();
    monitor.close();
  }
}
