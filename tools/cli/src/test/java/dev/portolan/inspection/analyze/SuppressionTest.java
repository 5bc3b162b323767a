package dev.portolan.inspection.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.analyze.Analysis;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.terminal.CommandFailure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Findings that are left out, all of a kind or those of one object. */
final class SuppressionTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "P9999", "P9999=shop/web", "shop/web", "p0403"})
  void whatDoesNotStartWithACodeIsRefused(String word) {
    assertThatThrownBy(() -> Suppression.parse(List.of(word)))
        .isInstanceOf(CommandFailure.class)
        .hasMessage(
            "--suppress: '%s' does not start with a code; write one such as P0403 or"
                + " P0403=shop/web",
            word);
  }

  @Test
  void aCodeCoversAllObjectsAndAnObjectOnlyItself() {
    KnownMistake first = Analysis.mistakes().getFirst();
    KnownMistake other = Analysis.mistakes().getLast();
    ClusterFinding web = first.in(new ObjectRef("Service", "shop/web"), "spec", "x");
    ClusterFinding cart = first.in(new ObjectRef("Service", "shop/cart"), "spec", "x");

    Suppression all = Suppression.parse(List.of(first.code()));
    assertThat(List.of(web, cart)).allMatch(all::covers);
    assertThat(all.covers(other.in(web.object(), "spec", "x"))).isFalse();

    Suppression one = Suppression.parse(List.of(first.code() + "=shop/web"));
    assertThat(one.covers(web)).isTrue();
    assertThat(one.covers(cart)).isFalse();
    assertThat(Suppression.parse(List.of()).covers(web)).isFalse();
  }
}
