package dev.portolan.daemon.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.fields.ProxyConfiguration.Conntrack;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The settings of a real kernel that each network namespace has for itself. */
@NeedsKernel
final class InitKernelTest {
  private static final Path FOLDER = Path.of("/proc/sys/net/netfilter");

  @AutoClose private final TestNamespace place = new TestNamespace();

  @Test
  void timeoutsAreSet() throws Exception {
    Conntrack config =
        new Conntrack(
            0,
            0,
            Duration.ofSeconds(1001),
            Duration.ofSeconds(1002),
            true,
            Duration.ofSeconds(1003),
            Duration.ofSeconds(1004));
    String outside = read("nf_conntrack_udp_timeout");
    Init.Report report = place.namespace().visit(() -> new Init().conntrack(config));
    assertThat(report.fatal()).isEmpty();
    assertThat(report.set()).hasSize(5);
    assertThat(inside("nf_conntrack_tcp_timeout_established")).isEqualTo("1001");
    assertThat(inside("nf_conntrack_tcp_timeout_close_wait")).isEqualTo("1002");
    assertThat(inside("nf_conntrack_tcp_be_liberal")).isEqualTo("1");
    assertThat(inside("nf_conntrack_udp_timeout")).isEqualTo("1003");
    assertThat(inside("nf_conntrack_udp_timeout_stream")).isEqualTo("1004");
    assertThat(read("nf_conntrack_udp_timeout")).isEqualTo(outside);
  }

  /** The number of flows belongs to the host; a namespace may read it only. */
  @Test
  void whatTheKernelRefusesIsFatal() {
    HostFiles files = new HostFiles(Path.of("/"));
    String refusal =
        place
            .namespace()
            .visit(() -> {
              try {
                files.write(ConntrackTarget.MAX, files.read(ConntrackTarget.MAX));
                return "written";
              } catch (IOException e) {
                return HostFiles.reason(e);
              }
            });
    assertThat(refusal).isIn("access was denied", "it is not permitted");
  }

  private String inside(String name) throws Exception {
    return place.namespace().visit(() -> read(name));
  }

  private static String read(String name) throws IOException {
    return new HostFiles(FOLDER).text(name);
  }
}
