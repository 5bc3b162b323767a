package dev.portolan.daemon;

import dev.portolan.apiserver.ApiAccess;
import dev.portolan.apiserver.ApiException;
import dev.portolan.apiserver.ApiServer;
import dev.portolan.apiserver.ClientLimits;
import dev.portolan.apiserver.InCluster;
import dev.portolan.apiserver.Kubeconfig;
import dev.portolan.apiserver.RequestObserver;
import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.finding.ConfigException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** How a configuration reaches its cluster, and under which name the node is known there. */
final class ClusterAccess {
  private ClusterAccess() {}

  /** The API server; nothing is sent yet. */
  static ApiServer open(StartPlan plan, String version) throws ApiException {
    return open(plan, version, RequestObserver.NONE);
  }

  /** The API server, with requests reported to {@code observer}; nothing is sent yet. */
  static ApiServer open(StartPlan plan, String version, RequestObserver observer)
      throws ApiException {
    ProxyConfiguration.ClientConnection client = plan.configuration().clientConnection();
    ClientLimits limits =
        new ClientLimits(client.qps(), client.burst(), "kube-proxy/portolan-" + version);
    return ApiServer.connect(access(client.kubeconfig(), plan.master()), limits, observer);
  }

  private static ApiAccess access(String kubeconfig, Optional<String> master) throws ApiException {
    if (!kubeconfig.isEmpty()) {
      ApiAccess access = Kubeconfig.read(Path.of(kubeconfig), Optional.empty());
      return master.isPresent() ? access.withServer(master.get()) : access;
    }
    return master.isPresent()
        ? ApiAccess.of(master.get())
        : InCluster.find("give --kubeconfig or --master");
  }

  /** The name that was given, or the host's. */
  static String nodeName(ProxyConfiguration configuration) {
    String given = configuration.hostnameOverride().strip();
    if (!given.isEmpty()) {
      return given.toLowerCase(Locale.ROOT);
    }
    try {
      return InetAddress.getLocalHost().getHostName().strip().toLowerCase(Locale.ROOT);
    } catch (UnknownHostException e) {
      throw ConfigException.of(
          "hostnameOverride",
          "the host name cannot be determined (" + e.getMessage() + "); set it here");
    }
  }
}
