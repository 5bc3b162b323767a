package dev.portolan.options;

import dev.portolan.backend.userspace.Portals;
import dev.portolan.core.text.GoDuration;
import dev.portolan.modes.ModeSettings.Proxy;
import dev.portolan.terminal.Choice;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the backend userspace works. */
final class UserspaceBackendOptions {
  private static final String USERSPACE = "userspace";
  private static final String PORTALS = "--portals";
  private static final String ACCESS_LOG = "--access-log";
  private static final String UDP_IDLE = "--udp-idle-timeout";
  private static final String DRAIN = "--drain-timeout";

  @Option(
      names = PORTALS,
      paramLabel = "HOW",
      description =
          "With --backend userspace, how clients come to this process: nftables, or listen, which"
              + " needs no root and prints where each service is served. Default: nftables.")
  private @Nullable String portals;

  @Option(
      names = ACCESS_LOG,
      description =
          "With --backend userspace: print one line per connection that has ended, to standard"
              + " output: protocol, service, client, endpoint, bytes, time and how it ended.")
  private boolean accessLog;

  @Option(
      names = UDP_IDLE,
      paramLabel = "DURATION",
      description =
          "With --backend userspace: after how long without packets a UDP client is forgotten."
              + " Default: 30s.")
  private @Nullable String udpIdle;

  @Option(
      names = DRAIN,
      paramLabel = "DURATION",
      description =
          "With --backend userspace: how long open connections may go on when it stops. Default:"
              + " 10s.")
  private @Nullable String drain;

  /** What was given; {@code out} receives the access log, {@code log} all other messages. */
  Proxy or(Proxy usual, Consumer<String> out, Consumer<String> log) {
    return new Proxy(
        portals == null ? usual.portals() : Choice.of(PORTALS, portals, List.of(Portals.values())),
        duration(UDP_IDLE, udpIdle, usual.udpIdle()),
        duration(DRAIN, drain, usual.drain()),
        accessLog ? out : usual.access(),
        log);
  }

  private static Duration duration(String option, @Nullable String text, Duration usual) {
    return text == null
        ? usual
        : GoDuration.parse(text)
            .filter(duration -> !duration.isNegative())
            .orElseThrow(
                () -> NodeSettingsOptions.bad(option, text, "must be a duration such as 15s"));
  }

  /** Says that these options mean nothing to another backend, where one was given. */
  void refuseFor(String backend) {
    OtherBackend.refuse(PORTALS, portals != null, USERSPACE, backend);
    OtherBackend.refuse(ACCESS_LOG, accessLog, USERSPACE, backend);
    OtherBackend.refuse(UDP_IDLE, udpIdle != null, USERSPACE, backend);
    OtherBackend.refuse(DRAIN, drain != null, USERSPACE, backend);
  }
}
