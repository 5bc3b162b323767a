package dev.portolan.cli.lab;

import dev.portolan.core.net.Protocol;
import dev.portolan.lab.ClientFlow;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Probe;
import dev.portolan.lab.Reply;
import dev.portolan.packets.Packet;
import dev.portolan.packets.Vigil;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** TCP connections to the services of a vigil that stay open and must never break. */
final class LongConnections implements AutoCloseable {
  private final Map<Packet, ClientFlow> flows = new LinkedHashMap<>();

  LongConnections(Lab lab) {
    for (Packet packet : Vigil.usual()) {
      if (packet.protocol() == Protocol.TCP) {
        flows.put(
            packet,
            lab.probe(packet.from()).open(packet.protocol(), packet.address(), packet.port()));
      }
    }
    // They are connected when they are first asked.
    List<String> failures = failures();
    if (!failures.isEmpty()) {
      throw new IllegalStateException("cannot connect: " + failures);
    }
  }

  /** Asks once over each; returns those that are not answered. */
  List<String> failures() {
    List<String> failures = new ArrayList<>();
    flows.forEach((packet, flow) -> {
      Reply reply = flow.ask(Probe.PATIENT);
      if (!(reply instanceof Reply.Answered)) {
        failures.add(packet + ": " + reply);
      }
    });
    return failures;
  }

  @Override
  public void close() throws IOException {
    for (ClientFlow flow : flows.values()) {
      flow.close();
    }
  }
}
