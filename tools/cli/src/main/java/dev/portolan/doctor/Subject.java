package dev.portolan.doctor;

import dev.portolan.apiserver.ApiAccess;
import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.mode.Mode;
import dev.portolan.mode.ModeRules;
import dev.portolan.mode.ModeSettings;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.netlink.NetlinkException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is looked at.
 *
 * @param namespace the network namespace of the rules, sockets and settings; empty for this
 *     process's own. The API server is always asked from this process's own
 * @param plan the daemon's configuration
 * @param configured whether {@code plan} was given, rather than being what a daemon has by default
 * @param settings how the daemon writes its rules
 * @param socket where a daemon answers about its node
 * @param access the way to the API server
 * @param secrets files that hold credentials: what is in them is never repeated
 */
public record Subject(
    Optional<Path> namespace,
    StartPlan plan,
    boolean configured,
    ModeSettings settings,
    Path socket,
    ApiAccess.Search access,
    List<Path> secrets) {
  public Subject {
    secrets = List.copyOf(secrets);
  }

  ProxyConfiguration configuration() {
    return plan.configuration();
  }

  /** The name of our own nftables tables. */
  public String table() {
    return ModeConfiguration.table(settings);
  }

  /**
   * The mode to check for: the one in the configuration, else the one in which a daemon runs here,
   * else the one whose rules are here.
   */
  public Mode mode(RunningDaemon daemon) {
    return configured
        ? KernelModes.of(configuration().mode()).orElseThrow()
        : daemon.mode().or(this::present).orElse(KernelModes.here().getFirst());
  }

  /** The mode whose rules are there. */
  private Optional<Mode> present() {
    return KernelModes.present(this::isPresent);
  }

  /** What cannot be read is not known to be there. */
  private boolean isPresent(Mode mode) {
    try {
      return mode.rules(settings).arePresent();
    } catch (NetlinkException e) {
      return false;
    }
  }

  /** The rules of a mode, as the daemon writes them. */
  public ModeRules rules(Mode mode) {
    return mode.rules(settings);
  }
}
