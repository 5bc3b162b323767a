package dev.portolan.cli.lab;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Reply;
import java.time.Duration;

/** A client and a target. */
record Route(Actor from, Ip address, int port, Protocol protocol) {
  /**
   * Lets the owner of the address answer there, so that accepted packets are not mistaken for
   * rejected ones.
   */
  void listen(Lab lab) {
    lab.listen(Actor.at(address).orElse(Actor.ROUTER), protocol, address, port);
  }

  /** Opens one connection. */
  Reply ask(Lab lab, Duration patience) {
    return lab.probe(from).ask(protocol, address, port, patience);
  }

  @Override
  public String toString() {
    return "from " + from + " to " + address.withPort(port) + "/" + protocol.lower();
  }
}
