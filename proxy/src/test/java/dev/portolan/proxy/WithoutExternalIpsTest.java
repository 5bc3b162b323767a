package dev.portolan.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.Source;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WithoutExternalIpsTest {
  private static final Service.Builder WEB =
      Service.named("shop", "web").clusterIps(List.of("10.96.0.20"));

  @Test
  void externalIpsAreLeftOutAndNothingElse() throws InterruptedException {
    Service exposed = WEB.externalIps(List.of("192.0.2.1")).build();
    ClusterDelta written =
        ClusterDelta.builder()
            .set(exposed)
            .removeService(new NamespacedName("shop", "gone"))
            .build();
    List<ClusterDelta> heard = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    Source source =
        sink -> {
          sink.apply(written);
          sink.report("a problem");
        };

    new WithoutExternalIps(source)
        .run(
            new Source.Sink() {
              @Override
              public void apply(ClusterDelta transaction) {
                heard.add(transaction);
              }

              @Override
              public void report(String problem) {
                problems.add(problem);
              }
            });

    ClusterDelta expected =
        ClusterDelta.builder()
            .set(WEB.externalIps(List.of()).build())
            .removeService(new NamespacedName("shop", "gone"))
            .build();
    assertThat(heard).containsExactly(expected);
    assertThat(problems).containsExactly("a problem");
  }
}
