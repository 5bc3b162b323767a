package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Background;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The backend userspace as an operator meets it; connections through it are tested with it. */
final class UserspaceTest {
  @Test
  void theDemoNeedsNothing() {
    Result result = Shell.run("demo", "--backend=userspace");
    assertThat(result.out()).doesNotContain("✗");
    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
    assertThat(result.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(Pattern.compile("✓").matcher(result.out()).results()).hasSize(6);
  }

  @Test
  void withRulesItSaysThatServicesEndWithIt() throws Exception {
    KernelNeeds.check();
    PrivateNamespace place = new PrivateNamespace();
    try {
      place.run("ip", "link", "set", "lo", "up");
      place.run("ip", "address", "add", "192.0.2.7/32", "dev", "lo");
      String netns = "--netns=" + place.path();
      try (Background run =
          new Background(
              "run",
              "--from=file:" + Shell.SHOP,
              "--node=worker-1",
              "--backend=userspace",
              netns)) {
        run.await(run.err, "revision 1: 9 services set");
        assertThat(run.err.toString())
            .contains("with userspace, table portolan")
            .contains("this machine has no IPv6 address for portals");
        assertThat(place.run("nft", "list", "map", "ip", "portolan", "tcp-endpoints"))
            .containsPattern("10\\.96\\.20\\.6 \\. 9090 \\. 0 : 192\\.0\\.2\\.7 \\. 6[1-5]\\d{3}");
        assertThat(run.stop()).isZero();
        assertThat(run.err.toString())
            .endsWith(
                "stopped; services are refused until it runs again ('portolan cleanup' removes the"
                    + " rules)\n");
      }
      assertThat(Shell.run("cleanup", "--backend=userspace", netns).status()).isZero();
      assertThat(place.run("nft", "list", "ruleset")).isEmpty();
    } finally {
      place.delete();
    }
  }
}
