package dev.portolan.options;

import dev.portolan.api.transport.Address;
import dev.portolan.server.Limits;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.access.Access;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
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

/** Where a brain listens, which clients it accepts, and their limits. */
public final class ListenOptions {
  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      description =
          "Where to serve: unix:///PATH, or tcp://HOST:PORT with certificates; can be repeated."
              + " Default: unix:///run/portolan/api.sock.")
  private List<String> listen = new ArrayList<>();

  @Option(
      names = "--insecure-loopback",
      description = "Serve ports on 127.0.0.1 and [::1] without certificates.")
  private boolean insecureLoopback;

  @Option(
      names = "--certificate-nodes",
      description =
          "Restrict a certificate named system:node:NAME to the node NAME. Reject all other"
              + " certificates except administrators.")
  private boolean certificateNodes;

  @Option(
      names = "--administrator",
      paramLabel = "NAME",
      description = "A certificate name with access to everything; can be repeated.")
  private List<String> administrators = new ArrayList<>();

  @Option(
      names = "--allow-uid",
      paramLabel = "UID[,UID...]",
      hideParamSyntax = true,
      split = ",",
      description =
          "Users that may use unix sockets, in addition to root and the current user. The socket's"
              + " file permissions must allow it too.")
  private @Nullable List<String> uids;

  @Option(
      names = "--allow-gid",
      paramLabel = "GID[,GID...]",
      hideParamSyntax = true,
      split = ",",
      description = "Groups that may use unix sockets, in addition to the current group.")
  private @Nullable List<String> gids;

  @Option(
      names = "--max-clients",
      paramLabel = "N",
      description = "The maximum number of connections per listener. Default: 10000.")
  private String clients = Integer.toString(Limits.DEFAULT.connections());

  @Option(
      names = "--max-nodes",
      paramLabel = "N",
      description = "The maximum number of nodes served at the same time. Default: 10000.")
  private String nodes = Integer.toString(Limits.DEFAULT.views());

  @Option(
      names = "--slow-client-timeout",
      paramLabel = "SECONDS",
      description =
          "How long a client may leave data unread before it is disconnected. Default: 30.")
  private String slow = Long.toString(Limits.DEFAULT.stalled().toSeconds());

  /** The listeners; those of a port have certificates unless they may do without. */
  public List<ListenAddress> listeners(Optional<TlsFiles> tls) {
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
                  : "; for tests on this machine use --insecure-loopback"));
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

  /** Access rules. */
  public Access access(List<ListenAddress> listeners) {
    if (!administrators.isEmpty() && !certificateNodes) {
      throw CommandFailure.usage("--administrator needs --certificate-nodes; add it");
    }
    if (certificateNodes && listeners.stream().allMatch(listener -> listener.tls().isEmpty())) {
      throw CommandFailure.usage(
          "--certificate-nodes needs a tcp:// listener with certificates; add one with --listen");
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
  public Limits limits() {
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
      // Reported below.
    }
    throw NodeSettingsOptions.bad(option, word, "is not a number from " + least + " on");
  }
}
