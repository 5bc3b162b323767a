package dev.portolan.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.api.v1.ExplainReply;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Destination;
import dev.portolan.core.fate.Explanation.LeftOut;
import dev.portolan.core.fate.Explanation.Share;
import dev.portolan.core.fate.Explanation.Step;
import dev.portolan.core.fate.Turn;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Reason;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ExplanationMessagesTest {
  private static final ObjectRef SERVICE = ObjectRef.service(Samples.WEB);
  private static final ObjectRef SLICE = ObjectRef.slice(Samples.WEB);
  private static final Step SETTING = Step.of("a setting says so").about(new Turn.Relayed());
  private static final Step FIELD = Step.of("a field says so", SERVICE, "spec.ports");

  @Test
  void whatIsReadEqualsWhatWasWritten() throws WireException {
    List<Explanation> explanations = new ArrayList<>();
    for (Verdict verdict : Verdict.values()) {
      for (Optional<ServicePortName> service :
          List.of(
              Optional.<ServicePortName>empty(),
              Optional.of(new ServicePortName(Samples.WEB, "", Protocol.UDP)))) {
        explanations.add(explanation(verdict, service));
      }
    }
    ExplainReply reply = written(explanations);
    assertThat(ExplanationMessages.explanations(reply)).isEqualTo(explanations);
    assertThat(ExplanationMessages.places(reply)).isEqualTo(Map.of(SLICE, "slices.yaml:7"));
  }

  private static ExplainReply written(List<Explanation> explanations) {
    ExplainReply.Builder reply = ExplainReply.newBuilder();
    ExplanationMessages.write(
        explanations,
        object -> object.equals(SLICE) ? Optional.of("slices.yaml:7") : Optional.empty(),
        reply);
    return reply.build();
  }

  /** An explanation in which every reason occurs. */
  private static Explanation explanation(Verdict verdict, Optional<ServicePortName> service) {
    List<Share> shares = new ArrayList<>();
    List<LeftOut> leftOut = new ArrayList<>();
    for (Reason reason : Reason.values()) {
      Step source = Step.of(reason.sentence(), SLICE, "endpoints[3].addresses");
      shares.add(
          new Share(
              Samples.endpoint("fd00::1", 8080, ""), 1.0 / 3, reason.in(), reason, "Pod a/b"));
      leftOut.add(new LeftOut("not an address", 0, reason, source));
      leftOut.add(new LeftOut("fd00::7", 8080, reason, source));
    }
    return new Explanation(
        "n1",
        "10.96.0.10:53/UDP",
        service.map(name ->
            new Destination(
                Ip.of("10.96.0.10"),
                53,
                name.protocol(),
                Optional.of(ServiceAddress.Kind.LOAD_BALANCER_IP))),
        "a pod of this node",
        "pod",
        service,
        verdict,
        shares,
        verdict == Verdict.FORWARD,
        leftOut,
        List.of(SETTING, FIELD));
  }

  @Test
  void anOlderServerNamesNoTurns() throws WireException {
    ExplainReply.Builder reply =
        written(List.of(explanation(Verdict.FORWARD, Optional.empty()))).toBuilder();
    assertThat(ExplanationMessages.explanations(reply.build()).getFirst().isKept()).isFalse();
    reply.getExplanationsBuilder(0).addStepsBuilder().setField("spec.sessionAffinity");
    assertThat(ExplanationMessages.explanations(reply.build()).getFirst().isKept()).isTrue();
  }

  @Test
  void whatDoesNotFitIsRefused() {
    ExplainReply good = written(List.of(explanation(Verdict.FORWARD, Optional.empty())));
    ExplainReply.Builder reason = good.toBuilder();
    reason.getExplanationsBuilder(0).getLeftOutBuilder(2).setReasonValue(99);
    refused(
        reason,
        "ExplainReply: explanations[0].left_out[2].reason: a reason that only a newer server"
            + " knows");
    ExplainReply.Builder ip = good.toBuilder();
    ip.getExplanationsBuilder(0).getEndpointsBuilder(1).setIp("here");
    refused(ip, "ExplainReply: explanations[0].endpoints[1].ip: 'here' is not an IP address");
    refused(ExplainReply.newBuilder(), "ExplainReply: explanations: missing");
  }

  private static void refused(ExplainReply.Builder reply, String sentence) {
    assertThatThrownBy(() -> ExplanationMessages.explanations(reply.build()))
        .isInstanceOf(WireException.class)
        .hasMessage(sentence);
  }
}
