package dev.portolan.backend.userspace;

import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Lab;
import dev.portolan.packets.ExplainerJudge;
import dev.portolan.packets.Judge;
import dev.portolan.packets.LabJudge;
import dev.portolan.packets.Outcome;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testbase.NeedsKernel;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every packet of the tables, through rules that lead to portals, and through the portals. */
@NeedsKernel(tools = "ip")
class PacketsTest {
  @AutoClose private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  @ParameterizedTest
  @MethodSource("dev.portolan.packets.PacketTable#all")
  void eachPacketComesWhereItBelongs(PacketTable table) {
    UserspaceOptions options = UserspaceOptions.DEFAULT.in(lab.node().path()).drain(Duration.ZERO);
    Trial.run(table, new FromTheNode(new LabJudge(lab, () -> new UserspaceBackend(options))))
        .orThrow();
  }

  @ParameterizedTest
  @MethodSource("dev.portolan.packets.PacketTable#all")
  void theExplanationSaysTheSame(PacketTable table) {
    Judge explainer = new ExplainerJudge(UserspaceOptions.DEFAULT.dataplane());
    Trial.run(table, new FromTheNode(explainer)).orThrow();
  }

  /**
   * What is expected of {@code packet} here: endpoints see the node's address instead of the
   * client's, except for SCTP, which rules forward.
   */
  static Packet asProxied(Packet packet) {
    return packet.protocol() == Protocol.SCTP
        ? packet
        : packet.expecting(packet.expected().masqueraded(true));
  }

  /** Judges what is expected here, and reports what the table says where it holds. */
  private record FromTheNode(Judge judge) implements Judge {
    @Override
    public Sitting open(PacketTable table) {
      Sitting sitting = judge.open(table);
      return new Sitting() {
        @Override
        public Outcome judge(Packet packet) {
          Packet asProxied = asProxied(packet);
          Outcome expected = asProxied.expected();
          Outcome outcome = sitting.judge(asProxied);
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
