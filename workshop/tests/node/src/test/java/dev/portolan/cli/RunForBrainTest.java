package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Background;
import dev.portolan.sessions.ServedShop;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run --api} on a real kernel, with a brain that goes away; its mistakes are sessions. */
final class RunForBrainTest {
  @TempDir private Path folder;
  private PrivateNamespace namespace;

  @BeforeEach
  void prepare() throws Exception {
    KernelNeeds.check();
    namespace = new PrivateNamespace();
  }

  @AfterEach
  void remove() throws Exception {
    namespace.delete();
  }

  @Test
  void writesTheSameRulesAsWithABrainOfItsOwn() throws Exception {
    try (ServedShop shop = new ServedShop(folder)) {
      Result remote =
          Shell.run("run", shop.api(), "--node=worker-1", "--netns", namespace.name(), "--once");
      assertThat(remote.status()).as(remote.err()).isZero();
      assertThat(remote.err())
          .contains("with nftables, table portolan, from " + shop.address() + "\n")
          .containsPattern("revision \\d+: 9 services set, in ");
      assertThat(Shell.run("nodes", shop.api()).out())
          .containsPattern("worker-1 +portolan nftables +1 +1 .* gone");
      String rules = namespace.nft("list", "ruleset");
      Result own =
          Shell.run(
              "run",
              "--from=file:" + shop.folder,
              "--node=worker-1",
              "--netns",
              namespace.name(),
              "--once");
      assertThat(own.status()).isZero();
      assertThat(namespace.nft("list", "ruleset")).isEqualTo(rules);
    }
  }

  @Test
  void followsTheBrainReportsAndOutlivesIt() throws Exception {
    try (ServedShop shop = new ServedShop(folder);
        Background run =
            new Background("run", shop.api(), "--node=worker-1", "--netns", namespace.name())) {
      run.await(run.err, "revision 1: 9 services set, in ");
      assertThat(Shell.run("nodes", shop.api()).out()).contains("worker-1");
      shop.replace("services.yaml", "10.96.20.10", "10.96.20.110");
      run.await(run.err, "revision 2: 1 service set, in ");
      assertThat(namespace.nft("list", "ruleset")).contains("10.96.20.110");

      shop.stop();
      run.await(run.err, "lost the brain: ");
      assertThat(namespace.nft("list", "ruleset")).contains("10.96.20.110");
      shop.replace("services.yaml", "10.96.20.110", "10.96.20.111");
      shop.start();
      run.await(run.err, "revision 3: 1 service set, in ");
      assertThat(run.stop()).isZero();
      assertThat(run.err.toString()).contains("stopped; the rules stay in place");
      assertThat(namespace.nft("list", "ruleset"))
          .contains("10.96.20.111")
          .doesNotContain("10.96.20.110");
    }
  }
}
