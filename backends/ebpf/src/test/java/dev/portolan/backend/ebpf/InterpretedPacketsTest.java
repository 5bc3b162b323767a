package dev.portolan.backend.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Verdict;
import dev.portolan.packets.Endpoints;
import dev.portolan.packets.Judge;
import dev.portolan.packets.Outcome;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The packet tables without a kernel: what sockets of the node and its pods ask for is given to the
 * programs. What they leave alone is for nftables, and judged in {@link PacketsTest}.
 */
class InterpretedPacketsTest {
  private static final int CLIENTS = 30;

  /** The tables with rows that a socket could follow by itself, and that are left to nftables. */
  private final Set<String> left = new TreeSet<>();

  private int translated;

  @Test
  void theProgramsSendEachSocketWhereItBelongs() {
    for (PacketTable table : PacketTable.all()) {
      Trial.run(table, this::open).orThrow();
    }
    assertThat(translated).isGreaterThan(400);
    // Unused addresses, source ranges, pods that cannot be distinguished from clients,
    // masquerading.
    assertThat(left).containsExactly("detect-nothing", "guards", "masquerade-all", "source-ranges");
  }

  private Judge.Sitting open(PacketTable table) {
    InterpretedWorld world = new InterpretedWorld();
    world.apply(table.decision().image());
    return new Judge.Sitting() {
      @Override
      public String obstacle(Packet packet) {
        return PacketsTest.isTranslated(packet) ? "" : "no socket of this node sends it";
      }

      @Override
      public synchronized Outcome judge(Packet packet) {
        return InterpretedPacketsTest.this.judge(table.name(), world, packet);
      }
    };
  }

  private Outcome judge(String table, InterpretedWorld world, Packet packet) {
    Map<String, Boolean> seen = new TreeMap<>();
    boolean sticky = true;
    for (int client = 1; client <= CLIENTS; client++) {
      // Sockets of one client: of either family, and such that are connected or only send.
      String first = ask(world, client, false, false, packet);
      if (first.equals(SocketWorld.UNTOUCHED)) {
        Verdict verdict = packet.expected().verdict();
        if (packet.protocol() != Protocol.SCTP
            && (verdict == Verdict.FORWARD || verdict == Verdict.REJECT)) {
          left.add(table);
        }
        return packet.expected();
      }
      if (first.equals(SocketWorld.REFUSED)) {
        translated++;
        return Outcome.ended(Verdict.REJECT);
      }
      seen.put(first, false);
      for (int more = 0; more < 3; more++) {
        String other = ask(world, client, more > 0, packet.protocol() == Protocol.UDP, packet);
        sticky &= other.equals(first);
        seen.put(other, false);
      }
    }
    translated++;
    Outcome plain = Outcome.forwarded(seen, sticky && packet.expected().sticky());
    return plain.agreesWith(PacketsTest.withoutMasquerade(packet).expected())
        ? packet.expected()
        : plain;
  }

  private static String ask(
      InterpretedWorld world, int client, boolean ofBoth, boolean sends, Packet packet) {
    boolean six = ofBoth || packet.family() == IpFamily.IPV6;
    try (InterpretedWorld.Socket socket = world.open(client, six, packet.protocol())) {
      String address = packet.address().toString();
      String result =
          sends ? socket.send(address, packet.port()) : socket.connect(address, packet.port());
      if (result.equals(SocketWorld.UNTOUCHED) || result.equals(SocketWorld.REFUSED)) {
        return result;
      }
      int as = result.indexOf(" as ");
      if (as >= 0) {
        assertThat(result.substring(as + 4)).isEqualTo(packet.address().withPort(packet.port()));
      }
      String endpoint = as < 0 ? result : result.substring(0, as);
      return Endpoints.name(Ip.of(endpoint), socket.endpointPort());
    }
  }
}
