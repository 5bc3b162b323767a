package dev.portolan.testkit.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a real API server leaves behind. */
@NeedsBuilt({"etcd", "kube-apiserver"})
final class ControlPlaneTest {
  @Test
  void nothingRunsWhereTheStartFailed() {
    Set<Long> before = children();
    assertThatThrownBy(() -> new ControlPlane("--no-such-flag"))
        .hasMessageContaining("the API server did not get ready");
    assertThat(children()).isEqualTo(before);
  }

  private static Set<Long> children() {
    return ProcessHandle.current().children().map(ProcessHandle::pid).collect(Collectors.toSet());
  }
}
