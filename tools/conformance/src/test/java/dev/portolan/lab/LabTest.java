package dev.portolan.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Reply.Answered;
import dev.portolan.testbase.NeedsKernel;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Proves the lab with rules that the program {@code nft} lays, without any backend. */
@NeedsKernel(tools = {"ip", "nft"})
class LabTest {
  private static final int TRIES = 40;
  private static Lab lab;

  /** A protocol in a family. */
  record Kind(Protocol protocol, IpFamily family) {
    /** An address of {@code 10.96.0.0/16} and its like in the other family. */
    Ip service(int number) {
      return Ip.of((family == IpFamily.IPV4 ? "10.96.0." : "fd10:96::") + number);
    }

    /** Rules in a table of their own; IP stands for the family, L4 for the protocol. */
    void lay(String rules) {
      String ip = family == IpFamily.IPV4 ? "ip" : "ip6";
      String text = rules.replace("IP ", ip + " ").replace("L4 ", protocol.lower() + " ");
      lab.node().execWith("table " + ip + " proof {\n" + text + "\n}\n", "nft", "-f", "-");
    }

    Reply ask(Actor from, int number) {
      return lab.probe(from).ask(protocol, service(number), 80);
    }
  }

  static Stream<Kind> kinds() {
    return Stream.of(Protocol.values())
        .flatMap(protocol -> Stream.of(IpFamily.values()).map(it -> new Kind(protocol, it)));
  }

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  @AfterAll
  static void takeDown() {
    if (lab != null) {
      lab.close();
    }
  }

  @AfterEach
  void flush() {
    lab.node().exec("nft", "flush", "ruleset");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everybodyReachesEveryPodAndKeepsHisAddress(Kind kind) {
    for (Actor from : Actor.values()) {
      for (Actor pod : Actor.PODS) {
        Reply reply = lab.probe(from).ask(kind.protocol, pod.address(kind.family), 8080);
        assertThat(reply)
            .as("%s to %s", from, pod)
            .isInstanceOfSatisfying(
                Answered.class,
                answer -> {
                  assertThat(answer.name()).isEqualTo(pod.toString());
                  assertThat(answer.isSourceKept()).as("%s to %s: %s", from, pod, answer).isTrue();
                });
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aPacketIsSpreadOverTwoEndpointsAndNoOther(Kind kind) {
    lay(kind, "");
    for (Actor from : List.of(Actor.POD_A3, Actor.NODE, Actor.OUTSIDE)) {
      Set<String> seen = new TreeSet<>();
      for (int i = 0; i < TRIES; i++) {
        Reply reply = kind.ask(from, 20);
        assertThat(reply)
            .isInstanceOfSatisfying(
                Answered.class,
                answer -> {
                  assertThat(answer.isSourceKept()).isTrue();
                  seen.add(answer.name());
                });
      }
      assertThat(seen).containsExactly("pod-a1", "pod-b1");
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aMasqueradedClientIsSeenAsTheNode(Kind kind) {
    lay(kind, "chain post { type nat hook postrouting priority 100; masquerade fully-random; }");
    // The node's own address stays what it is, and at times so does the port.
    for (Actor from : List.of(Actor.POD_A1, Actor.OUTSIDE)) {
      for (int i = 0; i < TRIES; i++) {
        assertThat(kind.ask(from, 20))
            .isInstanceOfSatisfying(
                Answered.class,
                answer -> {
                  assertThat(answer.isSourceKept()).as(answer.toString()).isFalse();
                  assertThat(Actor.isOfNode(answer.source().address())).isTrue();
                });
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aRejectionIsHeardAndADropIsNot(Kind kind) {
    String verdicts =
        "IP daddr %s reject; IP daddr %s drop;".formatted(kind.service(21), kind.service(22));
    kind.lay(
        "chain f { type filter hook forward priority 0; "
            + verdicts
            + " }\nchain o { type filter hook output priority 0; "
            + verdicts
            + " }");
    for (Actor from : List.of(Actor.POD_A3, Actor.NODE, Actor.OUTSIDE)) {
      assertThat(kind.ask(from, 21)).as("%s", from).isEqualTo(new Reply.Rejected());
      Reply dropped = lab.probe(from).ask(kind.protocol, kind.service(22), 80, Probe.SHORT);
      assertThat(dropped).as("%s", from).isEqualTo(new Reply.Dropped());
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatTheNodeLetsThroughIsAnsweredBehindIt(Kind kind) {
    lab.listen(Actor.ROUTER, kind.protocol, kind.service(23), 80);
    for (Actor from : List.of(Actor.POD_A3, Actor.NODE, Actor.OUTSIDE, Actor.POD_B1)) {
      assertThat(kind.ask(from, 23))
          .as("%s", from)
          .isInstanceOfSatisfying(
              Answered.class,
              answer -> {
                assertThat(answer.name()).isEqualTo("router");
                assertThat(answer.isSourceKept()).isTrue();
              });
    }
  }

  @Test
  void aFlowStaysWithItsEndpoint() throws IOException {
    for (Protocol protocol : List.of(Protocol.TCP, Protocol.UDP)) {
      Kind kind = new Kind(protocol, IpFamily.IPV4);
      lay(kind, "");
      try (ClientFlow flow = lab.probe(Actor.POD_A3).open(protocol, kind.service(20), 80)) {
        Reply first = flow.ask(Probe.PATIENT);
        assertThat(first).isInstanceOf(Answered.class);
        for (int i = 0; i < TRIES; i++) {
          assertThat(flow.ask(Probe.PATIENT)).isEqualTo(first);
        }
      }
      flush();
    }
  }

  @Test
  void closingRemovesEveryNamespace() {
    String name;
    try (Lab other = Lab.open()) {
      name = other.node().name();
      assertThat(new File("/run/netns", name)).exists();
    }
    assertThat(new File("/run/netns", name)).doesNotExist();
    assertThat(lab.probe(Actor.OUTSIDE).ask(Protocol.TCP, Ip.of("10.244.1.11"), 8080))
        .isInstanceOf(Answered.class);
  }

  @Test
  void onlyTheLabsOfDeadProcessesAreLeftovers() {
    long now = System.currentTimeMillis() / 1000;
    long self = ProcessHandle.current().pid();
    assertThat(LabNames.isLeftover(lab.node().name())).isFalse();
    assertThat(LabNames.isLeftover("portolan-" + self + "-" + now + "-1-node")).isFalse();
    assertThat(LabNames.isLeftover("portolan-" + self + "-" + (now - 3700) + "-1-node")).isTrue();
    assertThat(LabNames.isLeftover("portolan-999999999-" + now + "-1-pod-a1")).isTrue();
    assertThat(LabNames.isLeftover("portolan-other")).isFalse();
    assertThat(LabNames.isLeftover("cni-1234")).isFalse();
  }

  @Test
  void leftoversAreRemovedWhenALabIsBuilt() {
    String name = "portolan-999999999-1-1-node";
    Command.run(List.of("ip", "netns", "add", name), "");
    Lab.open().close();
    assertThat(new File("/run/netns", name)).doesNotExist();
  }

  private static void lay(Kind kind, String more) {
    IpFamily family = kind.family();
    String target = "L4 dport 80 IP daddr " + kind.service(20);
    String dnat =
        " dnat to numgen random mod 2 map { 0 : %s, 1 : %s }:8080;"
            .formatted(Actor.POD_A1.address(family), Actor.POD_B1.address(family));
    kind.lay(
        "chain pre { type nat hook prerouting priority -100; %s%s }\n".formatted(target, dnat)
            + "chain out { type nat hook output priority -100; %s%s }\n".formatted(target, dnat)
            + more);
  }
}
