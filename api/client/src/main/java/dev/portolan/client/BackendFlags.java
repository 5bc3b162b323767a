package dev.portolan.client;

import dev.portolan.api.transport.Address;
import dev.portolan.status.ProxyStatus;
import dev.portolan.telemetry.http.BindAddress;
import dev.portolan.tls.TlsFiles;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the command line of a backend says.
 *
 * @param held the state that the client already has
 * @param metadata whether services come with their labels and annotations
 * @param status what is served over HTTP
 */
record BackendFlags(
    Address api,
    Optional<TlsFiles> tls,
    String node,
    Duration errorDelay,
    int mostMessageBytes,
    boolean once,
    Position held,
    boolean metadata,
    ProxyStatus.Options status,
    boolean help) {
  static final String HELP =
      """
      Follows a brain's decisions for a node until interrupted.

        --api ADDRESS        where the brain listens: unix:///path, tcp://host:port or host:port
                             (default unix:///run/portolan/api.sock)
        --node NAME          the node to follow (default: this host's name)
        --tls-key FILE       private key, certificate and authorities, in PEM, for tcp:// addresses;
        --tls-crt FILE       all three or none
        --tls-ca FILE
        --error-delay TIME   the maximum pause between two attempts to reach the brain (default 5s)
        --max-msg-size N     the maximum size of an item, in bytes (default 4194304)
        --once               exit after one state, and print how to continue from it
        --instance-id N      with --rev: the state that you already have; wait for another one
        --rev N
        --service-metadata   ask for labels and annotations of services too; the brain must keep them
        --healthz-bind-address IP:PORT  serve /healthz and /livez there, such as 0.0.0.0:10256
        --metrics-bind-address IP:PORT  serve /metrics there, such as 127.0.0.1:10249
        --health-check-node-ports       serve the health-check nodePorts of services, for load
                                        balancers
        --help               print this help
      """;

  private static final String DEFAULT_API = "unix:///run/portolan/api.sock";
  private static final Set<String> ALONE =
      Set.of("--once", "--service-metadata", "--health-check-node-ports", "--help");
  private static final Set<String> WITH_VALUE =
      Set.of(
          "--api",
          "--node",
          "--tls-key",
          "--tls-crt",
          "--tls-ca",
          "--error-delay",
          "--max-msg-size",
          "--instance-id",
          "--rev",
          "--healthz-bind-address",
          "--metrics-bind-address");
  private static final Pattern TIME = Pattern.compile("(\\d{1,6})(ms|s|m)");

  /** Reads {@code args}; an {@link IllegalArgumentException} says what is wrong with them. */
  static BackendFlags parse(List<String> args) {
    Map<String, String> values = read(args);
    return new BackendFlags(
        address(values.getOrDefault("--api", DEFAULT_API)),
        tls(values),
        values.containsKey("--help") ? "" : node(values.get("--node")),
        time("--error-delay", values.getOrDefault("--error-delay", "5s")),
        size("--max-msg-size", values.getOrDefault("--max-msg-size", "4194304")),
        values.containsKey("--once"),
        held(values),
        values.containsKey("--service-metadata"),
        status(values),
        values.containsKey("--help"));
  }

  private static ProxyStatus.Options status(Map<String, String> values) {
    return ProxyStatus.Options.NOTHING
        .healthz(bindAddress("--healthz-bind-address", values))
        .metrics(bindAddress("--metrics-bind-address", values))
        .healthCheckNodePorts(values.containsKey("--health-check-node-ports"));
  }

  private static String bindAddress(String flag, Map<String, String> values) {
    String text = values.getOrDefault(flag, "");
    try {
      if (!text.isEmpty()) {
        BindAddress _ = BindAddress.parse(text);
      }
      return text;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(flag + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, String> read(List<String> args) {
    Map<String, String> values = new HashMap<>();
    Iterator<String> rest = args.iterator();
    while (rest.hasNext()) {
      String arg = rest.next();
      int equals = arg.startsWith("--") ? arg.indexOf('=') : -1;
      String flag = current(equals < 0 ? arg : arg.substring(0, equals));
      if (ALONE.contains(flag) && equals < 0) {
        values.put(flag, "");
      } else if (!WITH_VALUE.contains(flag)) {
        throw new IllegalArgumentException("'" + arg + "': unknown flag; see --help");
      } else if (equals < 0 && !rest.hasNext()) {
        throw new IllegalArgumentException(flag + ": a value is required");
      } else {
        values.put(flag, equals < 0 ? rest.next() : arg.substring(equals + 1));
      }
    }
    return values;
  }

  /** The flag that {@code flag} stands for: KPNG's programs call one of them by another name. */
  private static String current(String flag) {
    return flag.equals("--node-name") ? "--node" : flag;
  }

  private static Address address(String text) {
    try {
      return Address.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--api: " + e.getMessage(), e);
    }
  }

  private static Optional<TlsFiles> tls(Map<String, String> values) {
    String key = values.get("--tls-key");
    String certificate = values.get("--tls-crt");
    String ca = values.get("--tls-ca");
    if (key == null && certificate == null && ca == null) {
      return Optional.empty();
    }
    if (key == null || certificate == null || ca == null) {
      throw new IllegalArgumentException(
          "--tls-key, --tls-crt and --tls-ca must be used together; set all three, or none");
    }
    return Optional.of(new TlsFiles(Path.of(key), Path.of(certificate), Path.of(ca)));
  }

  private static String node(@Nullable String given) {
    if (given != null && !given.isBlank()) {
      return given.strip();
    }
    try {
      return InetAddress.getLocalHost().getHostName().strip().toLowerCase(Locale.ROOT);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "--node: cannot determine this host's name; specify the node to follow", e);
    }
  }

  private static Duration time(String flag, String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
      throw new IllegalArgumentException(
          flag + ": '" + text + "' is not a valid duration; write for example 500ms, 5s or 1m");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      default -> Duration.ofMinutes(amount);
    };
  }

  private static int size(String flag, String text) {
    try {
      int size = Integer.parseInt(text);
      if (size > 0) {
        return size;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new IllegalArgumentException(
        flag
            + ": '"
            + text
            + "' is not a valid size; write a number of bytes, for example 4194304");
  }

  private static Position held(Map<String, String> values) {
    String instance = values.get("--instance-id");
    String revision = values.get("--rev");
    if (instance == null && revision == null) {
      return Position.NONE;
    }
    if (instance == null || revision == null) {
      throw new IllegalArgumentException(
          "--instance-id and --rev must be used together; write both as --once printed them");
    }
    return new Position(number("--instance-id", instance), number("--rev", revision));
  }

  private static long number(String flag, String text) {
    try {
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(flag + ": '" + text + "' is not a valid number", e);
    }
  }
}
