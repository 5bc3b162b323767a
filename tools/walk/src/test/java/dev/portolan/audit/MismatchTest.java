package dev.portolan.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.fate.Fate.Share;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Verdict;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkResult.Way;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MismatchTest {
  private static final Ip FIRST = Ip.of("10.1.0.1");
  private static final Ip SECOND = Ip.of("10.1.0.2");
  private static final List<Share> WANTED = List.of(share(FIRST), share(SECOND));

  private static Share share(Ip address) {
    return new Share(new Endpoint(address, 80, "n1"), 0.5, false);
  }

  private static EndpointKey key(Ip address) {
    return new EndpointKey(address, 80);
  }

  private static List<Mismatch> between(String remark, Way... ways) {
    return Mismatch.between(
        Verdict.FORWARD,
        WANTED,
        false,
        new WalkResult(Verdict.FORWARD, List.of(ways), List.of(), remark),
        0.002);
  }

  @Test
  void sharesMayBeSlightlyOff() {
    assertThat(
            between(
                "",
                new Way(FIRST, 80, false, 0.501, false),
                new Way(SECOND, 80, false, 0.499, false)))
        .isEmpty();
    assertThat(
            between(
                "", new Way(FIRST, 80, false, 0.6, false), new Way(SECOND, 80, false, 0.4, false)))
        .containsExactly(
            new Mismatch.OtherShare(key(FIRST), 0.5, 0.6),
            new Mismatch.OtherShare(key(SECOND), 0.5, 0.4));
  }

  @Test
  void severalWaysToOneEndpointAddUp() {
    assertThat(
            between(
                "",
                new Way(FIRST, 80, false, 0.25, false),
                new Way(FIRST, 80, true, 0.25, false),
                new Way(SECOND, 80, false, 0.5, false)))
        .containsExactly(new Mismatch.OtherSource(key(FIRST), true));
  }

  @Test
  void endpointsAreMissingOrTooMany() {
    assertThat(
            between(
                "", new Way(FIRST, 80, false, 0.5, true), new Way(SECOND, 81, false, 0.5, false)))
        .containsExactly(
            new Mismatch.Missing(key(SECOND)),
            new Mismatch.OtherMemory(key(FIRST), true),
            new Mismatch.Surplus(new EndpointKey(SECOND, 81)));
  }

  @Test
  void whereTheVerdictDiffersNothingElseIsCompared() {
    assertThat(
            Mismatch.between(
                Verdict.DROP,
                List.of(),
                false,
                new WalkResult(
                    Verdict.FORWARD,
                    List.of(new Way(FIRST, 80, false, 1, false)),
                    List.of(),
                    "a rule is odd"),
                0))
        .containsExactly(
            new Mismatch.Unclear("a rule is odd"),
            new Mismatch.OtherVerdict(Verdict.DROP, Verdict.FORWARD));
  }
}
