package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import dev.portolan.lab.ClientFlow;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Probe;
import dev.portolan.lab.Reply;
import dev.portolan.sessions.Background;
import dev.portolan.sessions.Shell;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to a flow that goes on while its endpoint leaves, under {@code run}. */
final class FlowsTest {
  private static final Ip SERVICE = Ip.of("10.96.0.53");

  @TempDir private Path folder;

  @Test
  void aUdpFlowMovesToTheNextEndpoint() throws Exception {
    KernelNeeds.check();
    write("10.244.1.11");
    try (Lab lab = Lab.open();
        Background run = start(lab);
        ClientFlow flow = lab.probe(Actor.POD_A3).open(Protocol.UDP, SERVICE, 53)) {
      run.await(run.err, "revision 1: 1 service set");
      assertThat(who(flow)).isEqualTo("pod-a1");

      write("10.244.1.12");
      run.await(run.err, "ended 1 flow to endpoints that are gone");
      assertThat(who(flow)).isEqualTo("pod-a2");
    }
  }

  private Background start(Lab lab) {
    return new Background(
        "run", "--from=file:" + folder, "--node=worker-1", "--netns=" + lab.node().path());
  }

  private static String who(ClientFlow flow) {
    return flow.ask(Probe.PATIENT) instanceof Reply.Answered answered ? answered.name() : "nobody";
  }

  private void write(String endpoint) throws Exception {
    Shell.write(
        folder,
        "dns.yaml",
        """
        {apiVersion: v1, kind: Node, metadata: {name: worker-1}}
        ---
        apiVersion: v1
        kind: Service
        metadata: {namespace: kube-system, name: dns}
        spec: {clusterIPs: [%s], ports: [{name: dns, port: 53, protocol: UDP}]}
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {namespace: kube-system, name: dns-1, labels: {kubernetes.io/service-name: dns}}
        addressType: IPv4
        ports: [{name: dns, port: 8080, protocol: UDP}]
        endpoints: [{addresses: [%s], nodeName: worker-1}]
        """
            .formatted(SERVICE, endpoint));
  }
}
