package dev.portolan.netlink.sockets;

import dev.portolan.netlink.Hostile;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.util.List;

/** Survives what no kernel would send. */
final class InetSocketDecoderTest {
  @Property(tries = 5_000)
  void damagedDatagramsNeverCrash(@ForAll long seed) {
    Hostile.feed(seed, List.of(message -> InetSocket.read(InetSocket.UDP, message)));
  }
}
