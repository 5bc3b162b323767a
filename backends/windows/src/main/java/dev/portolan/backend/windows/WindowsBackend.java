package dev.portolan.backend.windows;

import dev.portolan.backend.windows.hcn.ComputeNetwork;
import dev.portolan.backend.windows.hcn.HcnCalls;
import dev.portolan.backend.windows.hcn.HnsVersion;
import dev.portolan.backend.windows.hcn.HostNetworks;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.node.NodeChange;

/** Programs a node's decisions into load balancers of the Host Network Service. */
public final class WindowsBackend implements Backend {
  private final WindowsOptions options;
  private final HostNetworks hns;
  private final HnsVersion version;

  /** Opens HNS, and makes sure that it can do what the options ask for; says what is missing. */
  public WindowsBackend(WindowsOptions options) {
    this(options, new ComputeNetwork());
  }

  WindowsBackend(WindowsOptions options, HcnCalls calls) {
    this.options = options;
    if (options.network().isEmpty()) {
      throw new BackendException(
          ErrorCode.CONFIGURATION,
          "the network of HNS is not known; set winkernel.networkName, --network-name or the"
              + " environment variable KUBE_NETWORK");
    }
    hns = new HostNetworks(calls);
    version = hns.version();
  }

  @Override
  public void sync(NodeChange change) {
    hns.network(options.network())
        .orElseThrow(() ->
            new BackendException(ErrorCode.HOST, "no network " + options.network() + version));
  }

  @Override
  public void cleanup() {
    hns.loadBalancerIds().forEach(hns::deleteLoadBalancer);
  }
}
