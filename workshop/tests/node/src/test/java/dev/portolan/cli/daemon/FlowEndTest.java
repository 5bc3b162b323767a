package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import dev.portolan.testbase.Await;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which TCP connections end when their endpoint leaves, under the daemon. */
@NeedsPeers
final class FlowEndTest extends DaemonOnNode {
  private static final String SERVICE = "10.97.1.1";

  @Test
  void onlyConnectionsWithoutAReplyEndWhereAskedFor() throws Exception {
    serve("10.128.0.1");
    try (Daemon daemon = host.start("--conntrack-clean-tcp=unreplied")) {
      daemon.awaitSync();
      Await.until(daemon::log, () -> host.ruleset().contains("10.128.0.1"));
      track("4000", "ESTABLISHED", "--status", "SEEN_REPLY,ASSURED");
      track("4001", "SYN_SENT");
      serve("10.128.0.2");
      Await.until(() -> tracked() + daemon.log(), () -> !tracked().contains("sport=4001"));
      assertThat(tracked()).contains("sport=4000");
    }
  }

  private void track(String port, String state, String... more) {
    String words =
        "conntrack -I -p tcp -s 10.1.0.9 -d %s --sport %s --dport 80 --dst-nat 10.128.0.1:8080"
            + " --state %s --timeout 600 "
            + String.join(" ", more);
    host.namespace().run(words.formatted(SERVICE, port, state).strip().split(" "));
  }

  private String tracked() {
    return host.namespace().run("conntrack", "-L", "-p", "tcp");
  }

  private static void serve(String endpoint) {
    Service service =
        Service.named("default", "drained")
            .clusterIps(List.of(SERVICE))
            .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
            .build();
    EndpointSlice.Member member =
        new EndpointSlice.Member(
            List.of(endpoint),
            EndpointSlice.Conditions.READY,
            "node-0",
            "",
            List.of(),
            List.of(),
            "");
    EndpointSlice slice =
        new EndpointSlice(
            new NamespacedName("default", "drained-1"),
            "drained",
            EndpointSlice.AddressType.IPV4,
            List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
            List.of(member),
            false,
            null);
    writer.apply(ClusterDelta.builder().set(service).set(slice).build());
  }
}
