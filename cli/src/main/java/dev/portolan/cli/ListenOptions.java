package dev.portolan.cli;

import dev.portolan.api.transport.Address;
import dev.portolan.server.Access;
import dev.portolan.server.Limits;
import dev.portolan.server.ListenAddress;
import dev.portolan.tls.TlsFiles;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a brain listens, to whom, and how much each may take. */
final class ListenOptions {
  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      description = {
        "Where to serve: unix:///PATH, or tcp://HOST:PORT",
        "with certificates; may be given several times.",
        "Unset: unix:///run/portolan/api.sock."
      })
  private List<String> listen = new ArrayList<>();

  @Option(
      names = "--insecure-loopback",
      description = "Serve ports of 127.0.0.1 and [::1] without certificates.")
  private boolean insecureLoopback;

  @Option(
      names = "--certificate-nodes",
      description =
          "Let a certificate with the name system:node:NAME watch the node NAME only, and any"
              + " other one nothing but for administrators.")
  private boolean certificateNodes;

  @Option(
      names = "--administrator",
      paramLabel = "NAME",
      description =
          "The name in a certificate that may see everything; may be given several times.")
  private List<String> administrators = new ArrayList<>();

  @Option(
      names = "--allow-uid",
      paramLabel = "UID[,UID...]",
      hideParamSyntax = true,
      split = ",",
      description =
          "Users that may use unix sockets, beside root and the one that this runs as. The file"
              + " must let them in too.")
  private @Nullable List<String> uids;

  @Option(
      names = "--allow-gid",
      paramLabel = "GID[,GID...]",
      hideParamSyntax = true,
      split = ",",
      description = "Groups that may use unix sockets, beside the one that this runs as.")
  private @Nullable List<String> gids;

  @Option(
      names = "--max-clients",
      paramLabel = "N",
      description = "The most connections that a listener has at once. Unset: 10000.")
  private String clients = Integer.toString(Limits.DEFAULT.connections());

  @Option(
      names = "--max-nodes",
      paramLabel = "N",
      description = "The most nodes that are looked at at once. Unset: 10000.")
  private String nodes = Integer.toString(Limits.DEFAULT.views());

  @Option(
      names = "--slow-client-timeout",
      paramLabel = "SECONDS",
      description =
          "For how long a client may leave unread what it asked for before it is ended."
              + " Unset: 30.")
  private String slow = Long.toString(Limits.DEFAULT.stalled().toSeconds());

  /** The listeners; those of a port have certificates unless they may do without. */
  List<ListenAddress> listeners(Optional<TlsFiles> tls) {
    Set<String> asked = new LinkedHashSet<>(listen.isEmpty() ? List.of(ApiOptions.BRAIN) : listen);
    return asked.stream().map(text -> listener(text, tls)).toList();
  }

  private ListenAddress listener(String text, Optional<TlsFiles> tls) {
    Address address = ApiOptions.address("--listen", text);
    if (!(address instanceof Address.Tcp tcp)) {
      return ListenAddress.plain(address);
    }
    if (tls.isPresent()) {
      return ListenAddress.tls(address, tls.get());
    }
    if (!insecureLoopback || !isLoopback(tcp.host())) {
      throw CommandFailure.usage(
          "--listen "
              + Text.printable(text)
              + ": a port needs --tls-key, --tls-crt and --tls-ca"
              + (insecureLoopback
                  ? "; --insecure-loopback is for 127.0.0.1 and [::1]"
                  : "; for tests on this machine alone there is --insecure-loopback"));
    }
    return ListenAddress.plain(address);
  }

  private static boolean isLoopback(String host) {
    try {
      return !host.isEmpty() && InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Who may do what. */
  Access access(List<ListenAddress> listeners) {
    if (!administrators.isEmpty() && !certificateNodes) {
      throw CommandFailure.usage(
          "--administrator says who is not bound by --certificate-nodes; add that too");
    }
    if (certificateNodes && listeners.stream().allMatch(listener -> listener.tls().isEmpty())) {
      throw CommandFailure.usage(
          "--certificate-nodes needs a tcp:// listener with certificates; name one with --listen");
    }
    return new Access(
        numbers("--allow-uid", uids),
        numbers("--allow-gid", gids),
        true,
        certificateNodes,
        new HashSet<>(administrators),
        insecureLoopback);
  }

  /** What clients may take. */
  Limits limits() {
    return Limits.DEFAULT
        .withConnections(number("--max-clients", clients, 1))
        .withViews(number("--max-nodes", nodes, 1), Limits.DEFAULT.viewIdle())
        .withStalled(Duration.ofSeconds(number("--slow-client-timeout", slow, 1)));
  }

  private static Set<Integer> numbers(String option, @Nullable List<String> words) {
    Set<Integer> numbers = new HashSet<>();
    for (String word : NodeSettingsOptions.given(words)) {
      numbers.add(number(option, word, 0));
    }
    return numbers;
  }

  private static int number(String option, String word, int least) {
    try {
      int number = Integer.parseInt(word.strip());
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // It is said below.
    }
    throw NodeSettingsOptions.bad(option, word, "is not a number from " + least + " on");
  }
}
