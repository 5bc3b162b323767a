package dev.portolan.cli.command;

import dev.portolan.cli.chart.CommandAnswers;
import dev.portolan.config.StartPlan;
import dev.portolan.daemon.KubeProxy;
import dev.portolan.options.OwnVersion;
import dev.portolan.telemetry.log.Streams;
import dev.portolan.terminal.StopSignal;
import dev.portolan.terminal.Terminal;
import dev.portolan.web.ServedChart;

/** What runs once the command line and the configuration are good. */
final class KubeProxyDaemon {
  private KubeProxyDaemon() {}

  /** Runs until it is stopped; returns the exit status. */
  static int run(StartPlan plan, Terminal terminal) {
    WeakSignatures.refuse();
    KubeProxy proxy =
        new KubeProxy(
            Streams.standard(),
            OwnVersion.text(),
            // A method reference would load the class in every daemon.
            (address, tls, token, log) ->
                ServedChart.at(address, tls, token, CommandAnswers::new, log));
    return StopSignal.during(terminal, () -> proxy.run(plan));
  }
}
