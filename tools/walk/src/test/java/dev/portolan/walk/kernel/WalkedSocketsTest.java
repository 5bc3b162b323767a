package dev.portolan.walk.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.ebpf.EbpfBackend;
import dev.portolan.backend.ebpf.EbpfOptions;
import dev.portolan.backend.ebpf.SocketTranslation;
import dev.portolan.bpf.BpfPlace;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.packets.ExplainerJudge;
import dev.portolan.packets.Judge;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.Outcome;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.ServedPlace;
import dev.portolan.walk.WalkJudge;
import dev.portolan.walk.WalkResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the kernel's maps say of sockets, for every packet of the tables that a socket sends. */
@NeedsKernel(tools = {"ip", "mount"})
class WalkedSocketsTest {
  private static final AtomicInteger CONNECTED = new AtomicInteger();

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
    assertThat(CONNECTED.get()).isGreaterThan(400);
  }

  private static EbpfOptions options() {
    return EbpfOptions.DEFAULT.of(place.cgroup()).pinnedTo(place.folder().resolve("portolan"));
  }

  private static NodeUnderTest node(PacketTable table) {
    return new NodeUnderTest(lab.node(), () -> new EbpfBackend(options()), table.settings());
  }

  private static EbpfRuleset read(Ruleset rules) {
    Optional<Path> namespace = Optional.of(lab.node().path());
    NodeNetwork network = NodeNetwork.read(namespace);
    return EbpfRuleset.read(
            options().in(namespace),
            rules,
            packet -> packet.isFromNode() || network.isPodHere(packet.source()))
        .orElseThrow();
  }

  /** Rules that leave every packet alone, and keep it. */
  private static final class Passed implements Ruleset {
    private final List<FirstPacket> packets = new ArrayList<>();

    @Override
    public String description() {
      return "no rules";
    }

    @Override
    public Set<ServedPlace> served() {
      return Set.of();
    }

    @Override
    public synchronized WalkResult walk(FirstPacket packet) {
      packets.add(packet);
      return new WalkResult(Verdict.NONE, List.of(), List.of(), "");
    }

    synchronized boolean has(FirstPacket packet) {
      return packets.contains(packet);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.portolan.packets.PacketTable#all")
  void theWalkConnectsEachSocketToWhereItBelongs(PacketTable table) {
    Passed rules = new Passed();
    try (Judge.Sitting explained = new ExplainerJudge(options().dataplane()).open(table)) {
      List<Packet> rows =
          table.packets().stream().map(row -> row.expecting(explained.judge(row))).toList();
      Trial.run(
              new PacketTable(table.name(), "", table.settings(), rows),
              new Left(new WalkJudge(_ -> node(table), () -> read(rules)), rules))
          .orThrow();
    }
  }

  /** Leaves to the rules what is not a socket's: then the packet came to them as it was. */
  private record Left(Judge judge, Passed rules) implements Judge {
    @Override
    public Sitting open(PacketTable table) {
      Sitting sitting = judge.open(table);
      return new Sitting() {
        @Override
        public Outcome judge(Packet packet) {
          Outcome outcome = sitting.judge(packet);
          if (rules.has(WalkJudge.firstPacket(packet))) {
            return packet.expected();
          }
          CONNECTED.incrementAndGet();
          // Where pods cannot be detected, the explainer takes them for clients without a socket.
          return table.name().equals("detect-nothing")
                  && outcome.agreesWith(packet.expected().masqueraded(false))
              ? packet.expected()
              : outcome;
        }

        @Override
        public void close() {
          sitting.close();
        }
      };
    }
  }

  @Test
  void withoutProgramsThereIsNothingToRead() {
    assertThat(EbpfRuleset.read(options(), new Passed(), packet -> true)).isEmpty();
    assertThat(SocketTranslation.read(options())).isEmpty();
  }

  @Test
  void aPodIsToldFromOthersByItsRoute() {
    NodeNetwork network = NodeNetwork.read(Optional.of(lab.node().path()));
    for (Actor actor : Actor.values()) {
      for (IpFamily family : IpFamily.values()) {
        assertThat(network.isPodHere(actor.address(family)))
            .as(actor.toString())
            .isEqualTo(Actor.PODS_A.contains(actor));
      }
    }
  }
}
