package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What nft itself must take; what is printed are sessions. */
final class RenderTest {
  @ParameterizedTest
  @ValueSource(strings = {"worker-1", "worker-2", "worker-3"})
  void nftTakesWhatIsPrinted(String node) throws Exception {
    KernelNeeds.check();
    Result result = Shell.shop(node, "render", "--backend", "nftables");

    assertThat(result.status()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).startsWith("table ip portolan {\n").contains("\ntable ip6 portolan {");
    // In a network namespace that ends with the program.
    Programs.runWith(result.out(), "unshare", "--net", "nft", "-c", "-f", "-");
    Programs.runWith(result.out(), "unshare", "--net", "nft", "-f", "-");
  }

  @Test
  void theTableAndTheBitCanBeChosen() throws Exception {
    KernelNeeds.check();
    Result result =
        Shell.shop("worker-1", "render", "--nftables-table=kube-proxy", "--masquerade-bit=3");
    assertThat(result.out())
        .contains("table ip kube-proxy {", "table ip6 kube-proxy {")
        .doesNotContain("0x00004000");
    Programs.runWith(result.out(), "unshare", "--net", "nft", "-c", "-f", "-");
    assertThat(Shell.shop("worker-1", "render", "--iptables-masquerade-bit=3").out())
        .isEqualTo(Shell.shop("worker-1", "render", "--masquerade-bit=3").out());
  }

  @Test
  void anEmptyClusterHasAFrameOnly(@TempDir Path folder) throws Exception {
    KernelNeeds.check();
    Shell.write(folder, "node.yaml", "{apiVersion: v1, kind: Node, metadata: {name: lonely}}");
    Result result = Shell.over(folder, "render");
    assertThat(result.status()).isZero();
    Programs.runWith(result.out(), "unshare", "--net", "nft", "-c", "-f", "-");
  }
}
