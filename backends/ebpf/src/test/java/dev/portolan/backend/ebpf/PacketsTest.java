package dev.portolan.backend.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.bpf.BpfPlace;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeView;
import dev.portolan.conformance.packets.BackendUnderTest;
import dev.portolan.conformance.packets.Judge;
import dev.portolan.conformance.packets.LabJudge;
import dev.portolan.conformance.packets.Outcome;
import dev.portolan.conformance.packets.Packet;
import dev.portolan.conformance.packets.PacketTable;
import dev.portolan.conformance.packets.Trial;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.netlink.lab.NeedsKernel;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

  static List<PacketTable> tables() {
    return PacketTable.all();
  }

  private static BackendUnderTest backend() {
    return () ->
        new EbpfBackend(
            EbpfOptions.DEFAULT.of(place.cgroup()).pinnedTo(place.folder().resolve("portolan")));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void theKernelSendsEachPacketWhereItBelongs(PacketTable table) {
    Trial.run(table, new WithoutMasquerade(new LabJudge(lab, backend()))).orThrow();
  }

  @ParameterizedTest
  @MethodSource("tables")
  void socketsAndRulesAgree(PacketTable table) {
    SocketTable sockets = SocketTable.of(image(table));
    for (Packet packet : table.packets()) {
      SocketTarget target = isTranslated(packet) ? sockets.frontends().get(frontend(packet)) : null;
      if (target != null) {
        assertThat(packet.expected().verdict())
            .as(packet.toString())
            .isEqualTo(
                switch (target) {
                  case SocketTarget.Refused() -> Verdict.REJECT;
                  case SocketTarget.Forwarded _ -> Verdict.FORWARD;
                });
      }
    }
  }

  private static NodeImage image(PacketTable table) {
    Brain brain = new Brain(warning -> {});
    NodeView view = brain.open(Actor.NODE_NAME, table.settings());
    brain.apply(PacketTable.cluster());
    return view.image();
  }

  private static SocketFrontend frontend(Packet packet) {
    return new SocketFrontend(packet.address(), packet.port(), packet.protocol());
  }

  private static boolean isTranslated(Packet packet) {
    return Actor.isOfNode(packet.source()) || Actor.PODS_A.contains(packet.from());
  }

  /** A socket that is translated keeps its address where a packet would be masqueraded. */
  private record WithoutMasquerade(Judge judge) implements Judge {
    @Override
    public Sitting open(PacketTable table) {
      SocketTable sockets = SocketTable.of(image(table));
      Sitting sitting = judge.open(table);
      return new Sitting() {
        @Override
        public Outcome judge(Packet packet) {
          if (!isTranslated(packet)
              || packet.expected().verdict() != Verdict.FORWARD
              || !sockets.frontends().containsKey(frontend(packet))) {
            return sitting.judge(packet);
          }
          Map<String, Boolean> plain = new TreeMap<>(packet.expected().endpoints());
          plain.replaceAll((endpoint, masqueraded) -> false);
          Outcome expected = Outcome.forwarded(plain, packet.expected().sticky());
          Outcome outcome =
              sitting.judge(
                  new Packet(
                      packet.place(),
                      packet.from(),
                      packet.address(),
                      packet.port(),
                      packet.protocol(),
                      expected));
          return outcome.agreesWith(expected) ? packet.expected() : outcome;
        }

        @Override
        public void close() {
          sitting.close();
        }
      };
    }
  }
}
