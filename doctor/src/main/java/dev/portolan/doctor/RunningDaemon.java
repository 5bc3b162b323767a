package dev.portolan.doctor;

import dev.portolan.config.fields.ProxyMode;
import dev.portolan.text.syntax.HostPort;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What can be seen of a proxy that runs on the node.
 *
 * @param sockets who listens on the ports of the configuration, by what they are for
 * @param mode what a Portolan says that it runs in
 */
public record RunningDaemon(Map<String, ListeningSocket> sockets, Optional<ProxyMode> mode) {
  static final String HEALTH = "healthz";
  static final String METRICS = "metrics";

  public static RunningDaemon find(Subject subject) {
    KernelFiles files = new KernelFiles(subject.namespace());
    Map<String, ListeningSocket> sockets = new TreeMap<>();
    addresses(subject)
        .forEach((use, address) ->
            port(address)
                .flatMap(port -> ListeningSocket.on(port, files))
                .ifPresent(socket -> sockets.put(use, socket)));
    Optional<ProxyMode> mode =
        Optional.ofNullable(sockets.get(METRICS))
            .filter(ListeningSocket::isOurs)
            .flatMap(socket ->
                LocalPage.read(
                    subject.namespace(),
                    subject.configuration().metricsBindAddress(),
                    "/proxyMode"))
            .flatMap(page -> ProxyMode.parse(page.text().strip()))
            .filter(found -> found != ProxyMode.UNSET);
    return new RunningDaemon(sockets, mode);
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
