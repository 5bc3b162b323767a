package dev.portolan.telemetry.http;

import dev.portolan.core.error.Threads;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * What the JDK opens when it is first used, and can never use again where that fails because no
 * file descriptor is left. A server prepares it before it listens, as its first clients may be a
 * flood.
 */
public final class FirstUse {
  private static final int LONGEST_WAIT_MILLIS = 1000;

  private static boolean prepared;

  private FirstUse() {}

  /** Opens all of it; only the first call does anything. */
  public static synchronized void prepare() {
    if (!prepared) {
      prepared = true;
      writeDate();
      awaitSocket();
    }
  }

  /** Reads the time zones, which the date in an answer needs. */
  private static void writeDate() {
    String _ =
        DateTimeFormatter.ofPattern("zzz", Locale.US)
            .withZone(ZoneId.of("GMT"))
            .format(Instant.EPOCH);
  }

  /** Lets a virtual thread wait for a socket, which needs a descriptor that all of them share. */
  private static void awaitSocket() {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      Thread waiting = Threads.virtual(Acceptor.PLACE).start(() -> receive(socket));
      for (int i = 0; i < LONGEST_WAIT_MILLIS && waiting.isAlive() && !isParked(waiting); i++) {
        Thread.sleep(1);
      }
    } catch (IOException e) {
      // There is no loopback address, so nothing can be prepared.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isParked(Thread thread) {
    return thread.getState() == Thread.State.WAITING;
  }

  private static void receive(DatagramSocket socket) {
    try {
      socket.receive(new DatagramPacket(new byte[1], 1));
    } catch (IOException e) {
      // It was closed.
    }
  }
}
