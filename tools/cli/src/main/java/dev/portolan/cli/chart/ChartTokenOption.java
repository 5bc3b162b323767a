package dev.portolan.cli.chart;

import picocli.CommandLine.Option;

/** The token that readers of a chart must know. */
final class ChartTokenOption {
  @Option(
      names = "--chart-token-file",
      paramLabel = "FILE",
      description =
          "A file with the token that readers of the chart must send; read again when it changes."
              + " Unset: none, so anyone on this machine can read a chart on loopback.")
  private String file = "";

  /** The path; empty where there is no token. */
  String file() {
    return file.strip();
  }
}
