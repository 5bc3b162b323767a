package dev.portolan.backend.ebpf;

import dev.portolan.bpf.BpfPlace;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.packets.BackendUnderTest;
import dev.portolan.packets.Judge;
import dev.portolan.packets.LabJudge;
import dev.portolan.packets.Outcome;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testbase.NeedsKernel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every packet of the tables, from sockets whose programs translate them, and from all others. */
@NeedsKernel(tools = {"ip", "mount"})
class PacketsTest {
  private static BpfPlace place;
  private static Lab lab;

  @BeforeAll
  static void build() {
    place = BpfPlace.make();
    lab = Lab.open();
    lab.onEntryToNode(place::enter);
  }

  @AfterAll
  static void tearDown() {
    lab.close();
    place.close();
  }

  private static BackendUnderTest backend() {
    return () ->
        new EbpfBackend(
            EbpfOptions.DEFAULT.of(place.cgroup()).pinnedTo(place.folder().resolve("portolan")));
  }

  @ParameterizedTest
  @MethodSource("dev.portolan.packets.PacketTable#all")
  void theKernelSendsEachPacketWhereItBelongs(PacketTable table) {
    Trial.run(table, new WithoutMasquerade(new LabJudge(lab, backend()))).orThrow();
  }

  static SocketFrontend frontend(Packet packet) {
    return new SocketFrontend(packet.address(), packet.port(), packet.protocol());
  }

  static boolean isTranslated(Packet packet) {
    return Actor.isOfNode(packet.source()) || Actor.PODS_A.contains(packet.from());
  }

  /** What happens to a packet of a socket that is translated: it keeps its address. */
  static Packet withoutMasquerade(Packet packet) {
    return packet.expecting(packet.expected().masqueraded(false));
  }

  /** Judges by what sockets do where they are translated. */
  private record WithoutMasquerade(Judge judge) implements Judge {
    @Override
    public Sitting open(PacketTable table) {
      SocketTable sockets = SocketTable.of(table.decision().image());
      Sitting sitting = judge.open(table);
      return new Sitting() {
        @Override
        public Outcome judge(Packet packet) {
          if (!isTranslated(packet)
              || packet.expected().verdict() != Verdict.FORWARD
              || !sockets.frontends().containsKey(frontend(packet))) {
            return sitting.judge(packet);
          }
          Packet plain = withoutMasquerade(packet);
          Outcome outcome = sitting.judge(plain);
          // The kernel changes the port of a connection that is not translated, too, where a
          // masqueraded one happens to have it; hardly ever twice.
          if (!outcome.agreesWith(plain.expected())) {
            outcome = sitting.judge(plain);
          }
          return outcome.agreesWith(plain.expected()) ? packet.expected() : outcome;
        }

        @Override
        public void close() {
          sitting.close();
        }
      };
    }
  }
}
