package dev.portolan.testbase;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for servers that must know theirs before they listen. They lie below those that the kernel
 * gives to connections and to servers that ask for any, so that no other program takes one before
 * its server does, and below nodePorts; none comes twice in a process.
 */
public final class FreePort {
  private static final int FIRST = 13_000;
  private static final int COUNT = 7_000;
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

  private FreePort() {}

  /** The next port that is free on every address. */
  public static int next() {
    for (int i = 0; i < COUNT; i++) {
      int port = FIRST + NEXT.getAndIncrement() % COUNT;
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // Another program listens there.
      }
    }
    throw new IllegalStateException("no port is free");
  }
}
