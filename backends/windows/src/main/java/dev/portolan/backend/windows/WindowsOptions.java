package dev.portolan.backend.windows;

import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Dataplane;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How the backend works.
 *
 * @param network the name of the network of HNS that pods are in
 * @param sourceVip the address that endpoints see in place of the client's, in an overlay
 * @param dsr whether endpoints answer clients of cluster IPs themselves (direct server return)
 * @param overlay whether a network that is an overlay may be used, by the feature gate WinOverlay
 * @param forwardHealthCheckVip whether health checks of load balancers to their own address are
 *     passed on to the node
 * @param rootEndpoint the name of the endpoint of HNS that stands for the node, for health checks
 * @param healthzPort where the proxy itself answers health checks; 0 where it does not
 * @param ids the file in which identifiers are kept where HNS does not take ours
 * @param subnetWait how long an overlay may take at the start to learn where other nodes are
 */
public record WindowsOptions(
    String network,
    Optional<Ip> sourceVip,
    boolean dsr,
    boolean overlay,
    boolean forwardHealthCheckVip,
    String rootEndpoint,
    int healthzPort,
    Path ids,
    Duration subnetWait) {
  /** kube-proxy's defaults, on a network of this name. */
  public static WindowsOptions of(String network) {
    return new WindowsOptions(
        network,
        Optional.empty(),
        false,
        true,
        false,
        "cbr0",
        10256,
        defaultIds(),
        Duration.ofSeconds(10));
  }

  /** What happens to packets here, where it is not exactly what was decided. */
  public Dataplane dataplane() {
    return new WindowsDataplane();
  }

  /** The file in the folder where Windows has the data of services. */
  public static Path defaultIds() {
    String data = System.getenv("ProgramData");
    return Path.of(data == null ? "." : data, "portolan", "hns-ids");
  }
}
