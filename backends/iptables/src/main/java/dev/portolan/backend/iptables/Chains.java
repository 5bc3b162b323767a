package dev.portolan.backend.iptables;

import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.ServicePortName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names of the chains, the same that kube-proxy gives them: so people and tools find their way,
 * and one takes over from the other in place.
 */
public final class Chains {
  public static final String SERVICES = "KUBE-SERVICES";
  public static final String EXTERNAL_SERVICES = "KUBE-EXTERNAL-SERVICES";
  public static final String NODE_PORTS = "KUBE-NODEPORTS";
  public static final String POSTROUTING = "KUBE-POSTROUTING";
  public static final String MARK_MASQUERADE = "KUBE-MARK-MASQ";
  public static final String FORWARD = "KUBE-FORWARD";
  public static final String PROXY_FIREWALL = "KUBE-PROXY-FIREWALL";

  /** Empty; its presence shows that the table was not flushed. */
  public static final String CANARY = "KUBE-PROXY-CANARY";

  /** The kubelet's, in which we may add a rule; it is never emptied or removed. */
  public static final String KUBELET_FIREWALL = "KUBE-FIREWALL";

  public static final String FILTER = "filter";
  public static final String NAT = "nat";
  public static final String MANGLE = "mangle";

  /** The tables that we write to. */
  public static final List<String> TABLES = List.of(MANGLE, FILTER, NAT);

  private static final Set<String> BUILT_IN =
      Set.of("PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING");
  private static final Map<String, Set<String>> OWNED =
      Map.of(
          FILTER,
          Set.of(SERVICES, EXTERNAL_SERVICES, NODE_PORTS, FORWARD, PROXY_FIREWALL, CANARY),
          NAT,
          Set.of(SERVICES, NODE_PORTS, POSTROUTING, MARK_MASQUERADE, CANARY),
          MANGLE,
          Set.of(CANARY));

  /** XLB is what old releases of kube-proxy called EXT. */
  private static final Pattern HASHED =
      Pattern.compile("KUBE-(SVC|SVL|SEP|FW|EXT|XLB)-[A-Z2-7]{16}");

  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final int HASH_LENGTH = 16;

  private Chains() {}

  /** What a chain of a service port is for. */
  public enum Kind {
    /** Spreads connections over the endpoints of all nodes. */
    CLUSTER("KUBE-SVC-"),
    /** Spreads connections over the endpoints of this node. */
    LOCAL("KUBE-SVL-"),
    /** Takes what comes to nodePorts, external and load-balancer addresses. */
    EXTERNAL("KUBE-EXT-"),
    /** Accepts the source ranges of the load-balancer addresses. */
    FIREWALL("KUBE-FW-"),
    /** Sends connections to one endpoint. */
    ENDPOINT("KUBE-SEP-");

    private final String prefix;

    Kind(String prefix) {
      this.prefix = prefix;
    }

    /** The name of the chain with this hash. */
    public String named(String hash) {
      return prefix + hash;
    }
  }

  /** The hash in the names of all chains of a service port but those of its endpoints. */
  public static String hash(ServicePortName port) {
    return hash(port + port.protocol().lower());
  }

  /** The chain of one endpoint of a service port. */
  public static String endpoint(ServicePortName port, Endpoint endpoint) {
    return Kind.ENDPOINT.named(hash(port + port.protocol().lower() + endpoint));
  }

  /** The first 16 base32 characters of the text's SHA-256. */
  static String hash(String text) {
    byte[] digest = sha256().digest(text.getBytes(StandardCharsets.UTF_8));
    char[] letters = new char[HASH_LENGTH];
    long bits = 0;
    int held = 0;
    int next = 0;
    for (int i = 0; i < HASH_LENGTH; i++) {
      if (held < 5) {
        bits = bits << 8 | (digest[next++] & 0xff);
        held += 8;
      }
      held -= 5;
      letters[i] = BASE32.charAt((int) (bits >>> held) & 31);
    }
    return new String(letters);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Whether a chain of that name in the table {@code nat} is one of a service port's. */
  public static boolean isOfService(String chain) {
    return chain.startsWith("KUBE-") && HASHED.matcher(chain).matches();
  }

  /** Whether a chain of that name in that table is ours, or was kube-proxy's in mode iptables. */
  public static boolean isOwned(String table, String chain) {
    return OWNED.getOrDefault(table, Set.of()).contains(chain)
        || (table.equals(NAT) && isOfService(chain));
  }

  /** Whether the kernel sends packets into chains of that name by itself. */
  public static boolean isBuiltIn(String chain) {
    return BUILT_IN.contains(chain);
  }
}
