package dev.portolan.cli.command;

import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.Cidr;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.takeover.IpvsServer;
import dev.portolan.takeover.Leftovers;
import dev.portolan.takeover.Takeover;
import dev.portolan.takeover.TakeoverOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What this host is like for a configuration; nothing is changed.
 *
 * @param kernel its release
 * @param obstacle why the configured mode does not work here, if it is known not to
 * @param found the modules and rules of proxies that are here, a few words each
 * @param unread what could not be looked at, and why, a sentence each
 * @param ipvs the virtual servers of IPVS, regardless of who made them
 */
record HostSurvey(
    String kernel,
    Optional<String> obstacle,
    List<String> found,
    List<String> unread,
    List<IpvsServer> ipvs) {
  private static final Path MODULES = Path.of("/proc/modules");

  /** The modules of which a mode makes use. */
  private static final Pattern OF_A_PROXY = Pattern.compile("ip_vs.*|nf_tables|ip6?_tables");

  HostSurvey {
    found = List.copyOf(found);
    unread = List.copyOf(unread);
    ipvs = List.copyOf(ipvs);
  }

  /** Looks at this host, in the network namespace of this process. */
  static HostSurvey of(ProxyConfiguration configuration) {
    List<String> found = new ArrayList<>();
    List<String> unread = new ArrayList<>();
    Optional<String> obstacle = obstacle(configuration, unread);
    try {
      // A kernel that has all of it built in does not have the file.
      List<String> lines = Files.exists(MODULES) ? Files.readAllLines(MODULES) : List.of();
      List<String> modules =
          lines.stream()
              .map(line -> line.split(" ", 2)[0])
              .filter(name -> OF_A_PROXY.matcher(name).matches())
              .sorted()
              .toList();
      if (!modules.isEmpty()) {
        found.add("the modules " + String.join(", ", modules));
      }
    } catch (IOException e) {
      unread.add("the modules of the kernel (" + e.getMessage() + ")");
    }
    List<Cidr> excluded =
        configuration.ipvs().excludeCIDRs().stream()
            .flatMap(text -> Cidr.parse(text).stream())
            .toList();
    TakeoverOptions options =
        TakeoverOptions.of(
            ModeConfiguration.table(ModeConfiguration.of(configuration)), Set.of(), excluded);
    Leftovers rules = Takeover.find(options);
    found.addAll(rules.lines());
    unread.addAll(rules.unknown());
    List<IpvsServer> ipvs = List.of();
    try {
      ipvs = IpvsServer.all(options);
    } catch (NetlinkException e) {
      unread.add("the virtual servers of IPVS (" + e.getMessage() + ")");
    }
    return new HostSurvey(
        System.getProperty("os.version", "of unknown release"), obstacle, found, unread, ipvs);
  }

  /** Why the mode cannot be opened; where that is for lack of privileges it is not known. */
  private static Optional<String> obstacle(ProxyConfiguration configuration, List<String> unread) {
    try {
      KernelModes.rules(configuration.mode(), ModeConfiguration.of(configuration))
          .open()
          .backend()
          .close();
      return Optional.empty();
    } catch (BackendException e) {
      if (e.code() != ErrorCode.PRIVILEGES) {
        return Optional.of(String.valueOf(e.getMessage()));
      }
      unread.add("whether the kernel supports the mode (" + e.getMessage() + ")");
      return Optional.empty();
    }
  }
}
