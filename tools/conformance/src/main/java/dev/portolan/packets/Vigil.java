package dev.portolan.packets;

import dev.portolan.core.error.Threads;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Probe;
import dev.portolan.lab.Reply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Opens new connections to healthy services all the time, one thread for each row, and notes every
 * one that does not go where the row says.
 */
public final class Vigil implements AutoCloseable {
  private static final int PAUSE_MILLIS = 3;
  private static final PacketTable USUAL =
      PacketTable.parse(
          "vigil",
          """
          Healthy services, seen from everywhere.
          -- packets --
          from pod-a3  to 10.96.0.20:80/tcp     -> pod-a1,pod-a2,pod-b1 not-masqueraded
          from pod-a3  to [fd10:96::20]:80/udp  -> pod-a1,pod-a2,pod-b1 not-masqueraded
          from pod-a1  to 10.96.0.21:80/tcp     -> pod-a1 masqueraded
          from node    to 10.96.0.20:80/udp     -> pod-a1,pod-a2,pod-b1 masqueraded
          from node    to [fd10:96::22]:80/tcp  -> pod-b1,pod-b2 masqueraded
          from outside to 203.0.113.30:80/tcp   -> pod-a1,pod-b1 masqueraded
          from outside to 172.18.0.11:30031/udp -> pod-a1,pod-a2 not-masqueraded
          from outside to [fd12::11]:30030/tcp  -> pod-a1,pod-b1 masqueraded
          """);

  private final Lab lab;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong probes = new AtomicLong();
  private final ConcurrentLinkedQueue<Failure> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  /** A connection that did not go where it should. */
  public record Failure(Instant time, Packet packet, Reply reply) {
    @Override
    public String toString() {
      return time + " " + packet + ": " + reply;
    }
  }

  private Vigil(Lab lab) {
    this.lab = lab;
  }

  /** Rows for services of {@link PacketTable#cluster} that nothing may disturb. */
  public static List<Packet> usual() {
    return USUAL.packets();
  }

  /** Starts to watch; every row must be one that is forwarded. */
  public static Vigil over(Lab lab, List<Packet> packets) {
    Vigil vigil = new Vigil(lab);
    for (Packet packet : packets) {
      vigil.threads.add(
          Threads.platform("vigil")
              .named("vigil " + packet.route())
              .start(() -> vigil.watch(packet)));
    }
    return vigil;
  }

  private void watch(Packet packet) {
    Probe probe = lab.probe(packet.from());
    try {
      while (!closed) {
        Reply reply =
            LabJudge.askUntilClear(
                () -> probe.ask(packet.protocol(), packet.address(), packet.port()));
        if (!LabJudge.isAsExpected(packet, reply)) {
          failures.add(new Failure(Instant.now(), packet, reply));
        }
        probes.incrementAndGet();
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failures.add(new Failure(Instant.now(), packet, new Reply.Broken(e.toString())));
    }
  }

  /** How many connections were opened so far. */
  public long probes() {
    return probes.get();
  }

  /** Those that failed so far, the oldest first. */
  public List<Failure> failures() {
    return List.copyOf(failures);
  }

  /** Stops watching; what was seen stays. */
  @Override
  public void close() {
    closed = true;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
