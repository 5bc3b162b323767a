package dev.portolan.telemetry.http;

import dev.portolan.core.error.Threads;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;

/**
 * What the JDK opens when it is first used, and can never use again where that fails because no
 * file descriptor is left. A server prepares it before it listens, as its first clients may be a
 * flood.
 */
final class FirstUse {
  private static final int LONGEST_WAIT_MILLIS = 1000;

  private FirstUse() {}

  /** Lets a virtual thread wait for a socket, which needs a descriptor that all of them share. */
  static void prepare() {
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
