package dev.portolan.daemon;

import dev.portolan.core.net.IpFamily;
import dev.portolan.daemon.metrics.BackendMetrics;
import dev.portolan.localhost.LocalhostNodePorts;
import dev.portolan.telemetry.log.Log;

/** Counts and logs what becomes of nodePorts on localhost. */
record LocalhostEvents(BackendMetrics metrics, Log log) implements LocalhostNodePorts.Listener {
  @Override
  public void notOpened(IpFamily family, int port, String cause, boolean first) {
    metrics.localhostListenerFailed(family);
    if (first) {
      log.warn(
          "Cannot serve a nodePort on localhost; it is retried",
          "family",
          family,
          "port",
          port,
          "cause",
          cause);
    }
  }

  @Override
  public void listening(IpFamily family, int count) {
    metrics.localhostListeners(family, count);
  }
}
