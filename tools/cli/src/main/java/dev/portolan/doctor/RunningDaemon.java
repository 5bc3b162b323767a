package dev.portolan.doctor;

import dev.portolan.config.Start;
import dev.portolan.config.StartPlan;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.gates.Platform;
import dev.portolan.mode.Mode;
import dev.portolan.modes.KernelModes;
import dev.portolan.text.syntax.HostPort;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What can be seen of a proxy that runs on the node.
 *
 * @param sockets who listens on the ports of the configuration, by what they are for
 * @param mode what a Portolan says that it runs in
 */
public record RunningDaemon(Map<String, ListeningSocket> sockets, Optional<Mode> mode) {
  static final String HEALTH = "healthz";
  static final String METRICS = "metrics";

  private static final int USUAL_PORT = 10249;
  private static final String GROUP = "{\"kubeproxy.config.k8s.io\":";

  public static RunningDaemon find(Subject subject) {
    KernelFiles files = new KernelFiles(subject.namespace());
    Map<String, ListeningSocket> sockets = new TreeMap<>();
    addresses(subject)
        .forEach((use, address) ->
            port(address)
                .flatMap(port -> ListeningSocket.on(port, files))
                .ifPresent(socket -> sockets.put(use, socket)));
    Optional<Mode> mode =
        Optional.ofNullable(sockets.get(METRICS))
            .filter(ListeningSocket::isOurs)
            .flatMap(socket ->
                LocalPage.read(
                    subject.namespace(),
                    subject.configuration().metricsBindAddress(),
                    "/proxyMode"))
            .flatMap(page -> KernelModes.worded(page.text().strip()));
    return new RunningDaemon(sockets, mode);
  }

  /**
   * The configuration of the Portolan that runs here with its metrics on the usual port, as it says
   * itself; nothing where there is none.
   */
  public static Optional<StartPlan> configuration(Optional<Path> namespace) {
    return ListeningSocket.on(USUAL_PORT, new KernelFiles(namespace))
        .filter(ListeningSocket::isOurs)
        .flatMap(socket -> LocalPage.read(namespace, "127.0.0.1:" + USUAL_PORT, "/configz"))
        .map(LocalPage::text)
        .filter(text -> text.startsWith(GROUP) && text.endsWith("}"))
        .flatMap(text -> plan(text.substring(GROUP.length(), text.length() - 1)));
  }

  private static Optional<StartPlan> plan(String configuration) {
    try {
      Start start = Start.of(List.of("--config=/configz"), file -> configuration, Platform.LINUX);
      return Optional.of((StartPlan) start);
    } catch (ConfigException e) {
      return Optional.empty();
    }
  }

  /** The addresses that a daemon listens on, by what they are for; one may be turned off. */
  static Map<String, String> addresses(Subject subject) {
    Map<String, String> addresses = new TreeMap<>();
    addresses.put(HEALTH, subject.configuration().healthzBindAddress());
    addresses.put(METRICS, subject.configuration().metricsBindAddress());
    addresses.values().removeIf(String::isEmpty);
    return addresses;
  }

  /** The port in an address. */
  static Optional<Integer> port(String address) {
    return HostPort.split(address)
        .map(HostPort::port)
        .filter(text -> text.matches("[0-9]{1,5}"))
        .map(Integer::valueOf);
  }

  /** The process of a Portolan. */
  public Optional<Long> pid() {
    return sockets.values().stream()
        .filter(ListeningSocket::isOurs)
        .flatMap(socket -> socket.pid().stream())
        .findFirst();
  }
}
