package dev.portolan.demo;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.explain.Client;
import dev.portolan.explain.Target;
import dev.portolan.lab.Actor;
import java.util.Optional;

/** A client and a target: for a probe with packets, and for {@code explain}. */
record Question(Actor client, Ip address, int port) {
  /** A connection of {@code client} to {@code address}, port 80. */
  static Question of(Actor client, String address) {
    return new Question(client, Ip.of(address), 80);
  }

  /** The target, as {@code explain} takes it. */
  Target target() {
    return new Target.OfAddress(address, port, Optional.of(Protocol.TCP));
  }

  /** The client, as {@code explain} takes it. */
  Client who() {
    return new Client.At(source());
  }

  /** The client's own address. */
  Ip source() {
    return client.address(address.family());
  }

  /** {@code address:port}. */
  String where() {
    return address.withPort(port);
  }
}
