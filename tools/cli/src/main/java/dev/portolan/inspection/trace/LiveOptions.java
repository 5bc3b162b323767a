package dev.portolan.inspection.trace;

import dev.portolan.core.text.GoDuration;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Whether, how long and how many real packets are watched. */
public final class LiveOptions {
  @Option(
      names = "--live",
      description =
          "Let the kernel trace real packets of new connections to this address too, through a"
              + " table of its own that is removed in the end. Needs root.")
  private boolean live;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "With --live: how long to wait for packets. Default: 10s.")
  private String timeout = "10s";

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "With --live: stop after N packets. Default: 1.")
  private int count = 1;

  /** Whether real packets are wanted. */
  boolean isWanted() {
    return live;
  }

  /** Says what is wrong with the values before anything is done. */
  void check() {
    Duration _ = longest();
    if (count < 1) {
      throw CommandFailure.usage("--count: '" + count + "' must be at least 1");
    }
  }

  private Duration longest() {
    return GoDuration.parse(timeout)
        .filter(time -> !time.isNegative() && !time.isZero())
        .orElseThrow(() ->
            CommandFailure.usage(
                "--timeout: '"
                    + Text.printable(timeout)
                    + "' is not a valid duration; write one such as 10s or 2m"));
  }

  /** Apart, because it needs netlink, and a system without it reads these options too. */
  LiveWatch watch() {
    return new LiveWatch(longest(), timeout, count);
  }
}
