package dev.portolan.daemon;

import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyConfiguration.LogStream;
import dev.portolan.config.fields.ProxyConfiguration.Logging;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Failures;
import dev.portolan.core.net.Cidr;
import dev.portolan.daemon.host.Init;
import dev.portolan.daemon.outlet.ChartMaker;
import dev.portolan.mode.ModeRules;
import dev.portolan.mode.Own;
import dev.portolan.mode.Scope;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.takeover.Leftovers;
import dev.portolan.takeover.Takeover;
import dev.portolan.takeover.TakeoverOptions;
import dev.portolan.telemetry.log.FailureLog;
import dev.portolan.telemetry.log.Log;
import dev.portolan.telemetry.log.LogSettings;
import dev.portolan.telemetry.log.Logs;
import dev.portolan.telemetry.log.Streams;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The process that takes kube-proxy's place on a node.
 *
 * <p>It lives in sessions, one for each configuration. When the file changes, a session ends and
 * the next begins in the same process; the rules stay in the kernel meanwhile. If the next one
 * fails before it serves, the previous one starts again.
 */
public final class KubeProxy {
  private final Streams streams;
  private final String version;
  private final ChartMaker charts;

  /**
   * Writes its log to {@code streams}.
   *
   * @param version the program's own
   * @param charts serves a chart where the flags ask for one
   */
  public KubeProxy(Streams streams, String version, ChartMaker charts) {
    this.streams = streams;
    this.version = version;
    this.charts = charts;
  }

  private static LogSettings settings(Logging logging) {
    boolean json = logging.format().equals("json");
    LogStream stream = json ? logging.options().json() : logging.options().text();
    return new LogSettings(
        json,
        logging.verbosity(),
        // Only the text format knows --vmodule, as in kube-proxy.
        json
            ? List.of()
            : logging.vmodule().stream()
                .map(item -> new LogSettings.Component(item.filePattern(), item.verbosity()))
                .toList(),
        stream.splitStream(),
        stream.infoBufferSize(),
        logging.flushFrequency());
  }

  /** Does what {@code plan} says, until the thread is interrupted; returns the exit status. */
  public int run(StartPlan plan) {
    try (DaemonLock lock = new DaemonLock()) {
      return run(plan, lock);
    }
  }

  private int run(StartPlan plan, DaemonLock lock) {
    StartPlan current = plan;
    Optional<StartPlan> before = Optional.empty();
    Optional<String> refused = Optional.empty();
    while (true) {
      try (Logs logs = Logs.open(settings(current.configuration().logging()), streams)) {
        Log log = logs.of("kube-proxy");
        Failures.ofProcess().listen(new FailureLog(log));
        if (current.cleanup()) {
          return cleanup(current, log);
        }
        for (Finding warning : current.warnings()) {
          log.warn(warning.toString());
        }
        if (current.initOnly()) {
          return init(current, log);
        }
        Session session =
            new Session(
                current,
                new Session.Trial(before.isPresent(), refused),
                logs,
                version,
                lock,
                charts);
        switch (end(session, before.isPresent())) {
          case Ending.Stopped() -> {
            log.info(
                KernelModes.of(current.configuration().mode())
                        .filter(mode -> !mode.outlivesItsProcess())
                        .isPresent()
                    ? "Stopped; services are refused until the proxy runs again"
                    : "Stopped; the rules stay in place");
            return 0;
          }
          case Ending.Failed(String sentence) -> {
            log.error(sentence);
            if (before.isEmpty() || session.isServing()) {
              return 1;
            }
            log.error(
                "The changed configuration did not start; going back to the one before",
                "code",
                ErrorCode.CONFIGURATION,
                "file",
                current.source().map(StartPlan.Source::file).orElse(""));
            refused = current.source().map(StartPlan.Source::text);
            current = before.get();
            before = Optional.empty();
          }
          case Ending.Restart(StartPlan next, String why) -> {
            log.info("Starting again", "because", why);
            if (!next.isLike(current)) {
              before = session.isServing() ? Optional.of(current) : before;
              refused = Optional.empty();
            }
            current = next;
          }
        }
      }
    }
  }

  /** How a session ends; one on trial may fail in ways that no check foresaw. */
  private static Ending end(Session session, boolean mayGoBack) {
    try {
      return session.run();
    } catch (IllegalStateException e) {
      if (!mayGoBack || session.isServing()) {
        throw e;
      }
      return new Ending.Failed(String.valueOf(e.getMessage()));
    }
  }

  private static int init(StartPlan plan, Log log) {
    Init.Report report = new Init().run(plan.configuration().linux());
    report.set().forEach(log::info);
    report.refused().forEach(log::warn);
    report.fatal().forEach(log::error);
    ModeRules rules = KernelModes.rules(plan.configuration().mode(), ModeConfiguration.of(plan));
    try {
      rules.init().forEach(log::info);
    } catch (BackendException e) {
      log.error("Not set up", "code", e.code(), "cause", e.getMessage());
      return 1;
    }
    if (!rules.own().contains(Own.SOCKETS)) {
      leaveSockets(plan, log);
    }
    return report.isUsable() ? 0 : 1;
  }

  /**
   * Removes what translates sockets for a daemon that may lack the privilege: the rules that
   * another mode left beside it serve until that one has written its own.
   */
  private static void leaveSockets(StartPlan plan, Log log) {
    Leftovers sockets = Takeover.find(leftovers(plan, Set.of()).of(Scope.SOCKETS));
    if (!sockets.isEmpty()) {
      Leftovers.Removal removal = sockets.remove();
      removal.removed().forEach(what -> log.info("Removed", "what", what));
      removal
          .stayed()
          .forEach(what -> log.error("Not removed", "code", ErrorCode.TAKEOVER, "what", what));
    }
  }

  /** Removes what we laid and what any kube-proxy left. */
  private static int cleanup(StartPlan plan, Log log) {
    return Platform.current() == Platform.WINDOWS
        ? cleanupWindows(plan, log)
        : cleanupLinux(plan, log);
  }

  /** On Windows only ours are removed, as nothing shows which ones are a kube-proxy's. */
  private static int cleanupWindows(StartPlan plan, Log log) {
    try (Backend backend =
        KernelModes.rules(plan.configuration().mode(), ModeConfiguration.of(plan))
            .open()
            .backend()) {
      backend.cleanup();
      log.info("Removed", "what", "the load balancers and endpoints of Portolan");
      return 0;
    } catch (BackendException e) {
      log.error("Not removed", "code", e.code(), "cause", e.getMessage());
      return 1;
    }
  }

  private static int cleanupLinux(StartPlan plan, Log log) {
    Leftovers.Removal removal = Takeover.find(leftovers(plan, Set.of())).remove();
    removal.removed().forEach(what -> log.info("Removed", "what", what));
    removal
        .stayed()
        .forEach(problem -> log.error("Not removed", "code", ErrorCode.TAKEOVER, "what", problem));
    if (removal.isComplete() && removal.removed().isEmpty()) {
      log.info("Nothing to remove: no rules of kube-proxy or Portolan found");
    }
    return removal.isComplete() ? 0 : 1;
  }

  /** Where leftovers of a kube-proxy are looked for; {@code own} is laid by us. */
  static TakeoverOptions leftovers(StartPlan plan, Set<Own> own) {
    List<Cidr> excluded =
        plan.configuration().ipvs().excludeCIDRs().stream()
            .flatMap(text -> Cidr.parse(text).stream())
            .toList();
    return ModeConfiguration.leftovers(ModeConfiguration.of(plan), own, excluded);
  }
}
