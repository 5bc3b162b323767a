package dev.portolan.inspection.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.Share;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Reason;
import dev.portolan.core.node.Verdict;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkResult.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class RuleAgreementTest {
  /** Comparing each of these with each other would not end within the timeout. */
  private static final int MANY = 100_000;

  @Test
  @Timeout(60)
  void aServiceOfManyEndpointsIsCompared() {
    List<Share> shares = new ArrayList<>();
    List<Way> ways = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      Ip address = Ip.of("10.%d.%d.%d".formatted(i >> 16, (i >> 8) & 255, i & 255));
      double share = 1.0 / MANY;
      Endpoint endpoint = new Endpoint(address, 80, "n1");
      shares.add(new Share(endpoint, share, false, Reason.READY, ""));
      ways.add(new Way(address, i == 7 ? 81 : 80, false, share, false));
    }
    Explanation explanation =
        new Explanation(
            "n1",
            "web",
            Optional.empty(),
            "a pod",
            "pod",
            Optional.empty(),
            Verdict.FORWARD,
            shares,
            false,
            List.of(),
            List.of());

    assertThat(
            RuleAgreement.differences(
                explanation, new WalkResult(Verdict.FORWARD, ways, List.of(), "")))
        .containsExactly(
            "10.0.0.7:80: missing: the rules never send there",
            "10.0.0.7:81: too many: only the rules have it");
  }
}
