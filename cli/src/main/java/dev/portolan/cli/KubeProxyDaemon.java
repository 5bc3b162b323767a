package dev.portolan.cli;

import dev.portolan.config.StartPlan;
import dev.portolan.proxy.KubeProxy;
import dev.portolan.telemetry.log.Streams;

/** What runs once the command line and the configuration are good. */
final class KubeProxyDaemon {
  private KubeProxyDaemon() {}

  /** Runs until it is stopped; returns the exit status. */
  static int run(StartPlan plan, Terminal terminal) {
    KubeProxy proxy = new KubeProxy(Streams.standard(), OwnVersion.text());
    return StopSignal.during(terminal, () -> proxy.run(plan));
  }
}
