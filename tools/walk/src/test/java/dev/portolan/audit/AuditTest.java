package dev.portolan.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.portolan.audit.AuditDifference.Basis;
import dev.portolan.audit.AuditDifference.Kind;
import dev.portolan.brain.NodeDecision;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.Verdict;
import dev.portolan.packets.PacketTable;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.ServedPlace;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkResult.Way;
import dev.portolan.walk.WalkStep;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** What an audit says of a kernel that does something else than was decided. */
class AuditTest {
  private static final Ip WEB = Ip.of("10.96.0.20");
  private static final NodeDecision DECISION = PacketTable.all().getFirst().decision();
  private static final NodeInterfaces INTERFACES = ExpectedFateTest.interfaces(DECISION);
  private static final Ruleset RIGHT = new ExplainedRuleset(DECISION, Dataplane.EXACT);

  /** Rules that do something else with some packets. */
  private record Wrong(
      Set<ServedPlace> served, BiFunction<FirstPacket, WalkResult, WalkResult> change)
      implements Ruleset {
    @Override
    public String description() {
      return "wrong rules";
    }

    @Override
    public WalkResult walk(FirstPacket packet) {
      return change.apply(packet, RIGHT.walk(packet));
    }
  }

  private static List<String> found(BiFunction<FirstPacket, WalkResult, WalkResult> change) {
    return found(new Wrong(RIGHT.served(), change));
  }

  private static List<String> found(Ruleset rules) {
    return audit(rules, Optional.empty()).differences().stream()
        .map(AuditDifference::toString)
        .toList();
  }

  private static AuditResult audit(Ruleset rules, Optional<KernelAudit.RulePreview> own) {
    return new KernelAudit(Dataplane.EXACT, rules, INTERFACES, own).compare(DECISION.image());
  }

  private static boolean isWeb(FirstPacket packet) {
    return packet.destination().equals(WEB)
        && packet.port() == 80
        && packet.protocol() == Protocol.TCP;
  }

  private static WalkResult with(WalkResult result, List<Way> ways) {
    return new WalkResult(result.verdict(), ways, result.steps(), result.remark());
  }

  @Test
  void anEndpointThatIsMissingIsNamedWithThoseThatAreThere() {
    assertThat(
            found(
                (packet, right) -> isWeb(packet) ? with(right, right.ways().subList(0, 2)) : right))
        .containsExactly(
            "different lab/web:tcp 10.96.0.20:80/TCP: 10.244.2.11:8080 is missing; the kernel sends"
                + " to 10.244.1.11:8080, 10.244.1.12:8080 only");
  }

  @Test
  void anEndpointThatIsThereInPlaceOfAnotherIsNamedOnce() {
    assertThat(
            found((packet, right) ->
                isWeb(packet)
                    ? with(
                        right,
                        right.ways().stream()
                            .map(way ->
                                way.address().equals(Ip.of("10.244.2.11"))
                                    ? new Way(
                                        Ip.of("10.244.2.99"),
                                        way.port(),
                                        way.masquerade(),
                                        way.share(),
                                        way.remembered())
                                    : way)
                            .toList())
                    : right))
        .containsExactly(
            "different lab/web:tcp 10.96.0.20:80/TCP: the kernel also sends to 10.244.2.99:8080,"
                + " which is not an endpoint; 10.244.2.11:8080 is missing");
  }

  @Test
  void clientsAreNamedIfOnlySomeAreTreatedOtherwise() {
    assertThat(
            found((packet, right) ->
                isWeb(packet) && packet.isFromNode()
                    ? new WalkResult(Verdict.NONE, List.of(), List.of(), "")
                    : right))
        .containsExactly(
            "missing lab/web:tcp 10.96.0.20:80/TCP: from the node itself: the kernel has no rule"
                + " for it, and should send it to 10.244.1.11:8080, 10.244.1.12:8080,"
                + " 10.244.2.11:8080");
  }

  @Test
  void sharesAffinityAndMasqueradingCount() {
    assertThat(
            found((packet, right) ->
                isWeb(packet)
                    ? with(
                        right,
                        right.ways().stream()
                            .map(way ->
                                new Way(
                                    way.address(),
                                    way.port(),
                                    !way.masquerade(),
                                    way.address().equals(Ip.of("10.244.2.11")) ? 0.5 : 0.25,
                                    true))
                            .toList())
                    : right))
        .isNotEmpty()
        .allMatch(line -> line.contains("masqueraded, and should"))
        .allMatch(line -> line.contains("clients stay with"))
        .allMatch(line ->
            line.contains("10.244.2.11:8080 gets 50.0 % of new connections in place of 33.3 %"));
  }

  @Test
  void aRuleOfAnotherProgramIsNamedOnceForAllThatItEnds() {
    WalkStep rule = new WalkStep("inet firewall forward 1", "drop", "drop");
    List<String> found =
        found((packet, right) ->
            right.verdict() == Verdict.FORWARD
                ? new WalkResult(Verdict.DROP, List.of(), List.of(rule), "")
                : right);
    assertThat(found).hasSize(1);
    assertThat(found.getFirst())
        .startsWith(
            "foreign inet firewall forward 1: this rule of another program ends packets to"
                + " services: drop (")
        .contains(" packets, such as to lab/");
  }

  @Test
  void aRuleThatCannotBeUnderstoodIsSaidOnce() {
    assertThat(
            found((packet, right) ->
                new WalkResult(
                    right.verdict(), right.ways(), List.of(), "rule 7 cannot be understood")))
        .singleElement()
        .asString()
        .startsWith("unreadable rules: rule 7 cannot be understood (");
  }

  @Test
  void whatIsServedAndNobodyHasIsStale() {
    Set<ServedPlace> more = new HashSet<>(RIGHT.served());
    more.add(
        new ServedPlace(
            IpFamily.IPV4, Protocol.TCP, Optional.of(Ip.of("10.96.0.99")), 80, "lab/gone:tcp"));
    more.add(new ServedPlace(IpFamily.IPV6, Protocol.UDP, Optional.empty(), 30999, ""));
    assertThat(found(new Wrong(more, (packet, right) -> right)))
        .containsExactly(
            "stale nodePort 30999/UDP (IPv6): the kernel has rules for it, and no service has this"
                + " place",
            "stale lab/gone:tcp 10.96.0.99:80/TCP: the kernel has rules for it, and no service has"
                + " this place");
  }

  @Test
  void whatASyncWouldChangeIsADifferenceWithItsService() {
    List<AuditDifference> found =
        audit(
                RIGHT,
                Optional.of(image ->
                    List.of(
                        "+ element ip portolan nodeports { tcp . 30030 comment \"lab/shop:tcp\" :"
                            + " goto x }",
                        "- chain ip portolan theirs",
                        "~ chain ip portolan services: 5 rules")))
            .differences();
    assertThat(found)
        .extracting(AuditDifference::kind, AuditDifference::basis, AuditDifference::service)
        .containsExactly(
            tuple(Kind.MISSING, Basis.RULES, "lab/shop:tcp"),
            tuple(Kind.STALE, Basis.RULES, ""),
            tuple(Kind.DIFFERENT, Basis.RULES, ""));
  }

  @Test
  void onlyWhatStaysIsReported() throws InterruptedException {
    AuditDifference passing =
        new AuditDifference(Kind.MISSING, Basis.PACKETS, "10.96.0.1:80/TCP", "", "passing");
    AuditDifference lasting =
        new AuditDifference(Kind.STALE, Basis.PACKETS, "10.96.0.2:80/TCP", "", "lasting");
    Deque<List<AuditDifference>> readings =
        new ArrayDeque<>(
            List.of(List.of(passing, lasting), List.of(lasting), List.of(lasting, passing)));
    AuditResult result =
        SettledAudit.of(
            _ -> new AuditResult("rules", 1, 2, 3, false, List.of(), readings.removeFirst()),
            3,
            Duration.ofMillis(1));
    assertThat(result.differences()).containsExactly(lasting);
    assertThat(readings).isEmpty();
  }

  @Test
  void nothingIsReadAgainWhereNothingWasFound() throws InterruptedException {
    List<Integer> readings = new ArrayList<>();
    AuditResult result =
        SettledAudit.of(
            _ -> {
              readings.add(1);
              return new AuditResult("rules", 1, 2, 3, false, List.of(), List.of());
            },
            3,
            Duration.ofMillis(1));
    assertThat(result.isClean()).isTrue();
    assertThat(readings).hasSize(1);
  }

  @Test
  void onlyServicesThatDifferAreWalkedAgain() throws InterruptedException {
    Set<Ip> asked = ConcurrentHashMap.newKeySet();
    Ruleset wrong =
        new Wrong(
            RIGHT.served(),
            (packet, right) -> {
              asked.add(packet.destination());
              return isWeb(packet) ? with(right, right.ways().subList(0, 2)) : right;
            });
    List<Integer> asks = new ArrayList<>();
    AuditResult result =
        SettledAudit.of(
            chosen -> {
              asked.clear();
              AuditResult found = kernel(wrong).compare(DECISION.image(), chosen);
              asks.add(asked.size());
              return found;
            },
            2,
            Duration.ofMillis(1));
    assertThat(result.differences()).hasSize(1);
    assertThat(result.packets()).isEqualTo(kernel(RIGHT).compare(DECISION.image()).packets());
    assertThat(asked).contains(WEB);
    assertThat(asks.getLast()).isLessThan(asks.getFirst() / 2);
  }

  private static KernelAudit kernel(Ruleset rules) {
    return new KernelAudit(Dataplane.EXACT, rules, INTERFACES, Optional.empty());
  }

  @Test
  void aDaemonThatDecidedOtherwiseIsFound() {
    NodeImage all = DECISION.image();
    NodeImage fewer = all.only(service -> !service.name().name().equals("web"));
    NodeImage daemon = new NodeImage(fewer.revision(), all.facts(), fewer.services());
    assertThat(DecisionAudit.compare(all, all)).isEmpty();
    assertThat(DecisionAudit.compare(all, daemon))
        .extracting(AuditDifference::toString)
        .containsExactly(
            "missing lab/web the daemon's decision: the cluster has the service, and the daemon"
                + " does not serve it");
    assertThat(DecisionAudit.compare(daemon, all))
        .singleElement()
        .extracting(AuditDifference::kind)
        .isEqualTo(Kind.STALE);
  }
}
