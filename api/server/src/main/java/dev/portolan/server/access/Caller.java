package dev.portolan.server.access;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a method, and what it may do.
 *
 * @param peer where the call comes from, in words
 * @param certificate the name in the caller's certificate, if there is one
 */
public record Caller(String peer, Optional<String> certificate, Access access) {
  private static final String NODE_PREFIX = "system:node:";

  /** Reads the caller from the attributes of the transport. */
  public static Caller of(Attributes attributes, Access access) {
    SSLSession session = attributes.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    Optional<String> name = session == null ? Optional.empty() : Optional.of(commonName(session));
    String from = place(attributes);
    return new Caller(name.map(known -> known + " at " + from).orElse(from), name, access);
  }

  /** Refuses a caller that may not watch {@code node}. */
  public void checkMayWatch(String node) {
    if (isLimited() && !certificate.equals(Optional.of(NODE_PREFIX + node))) {
      throw refuse("is not allowed to watch node " + node);
    }
  }

  /** Refuses a caller that may not see all nodes. */
  public void checkMaySeeAll() {
    if (isLimited()) {
      throw refuse("is not allowed to see all nodes");
    }
  }

  /** Whether the name in the certificate says what the caller may do. */
  private boolean isLimited() {
    return access.certificateNodes()
        && certificate.filter(name -> !access.administrators().contains(name)).isPresent();
  }

  private StatusRuntimeException refuse(String what) {
    return Status.PERMISSION_DENIED
        .withDescription(
            "the certificate of '%s' %s: %sNAME is allowed to watch node NAME, and administrators everything"
                .formatted(certificate.orElse(""), what, NODE_PREFIX))
        .asRuntimeException();
  }

  /** Where the caller is, in words. */
  public static String place(Attributes attributes) {
    return place(attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
  }

  static String place(@Nullable SocketAddress address) {
    return switch (address) {
      case null -> "somewhere";
      case InetSocketAddress inet -> inet.getAddress().getHostAddress() + ":" + inet.getPort();
      default -> address.toString().isEmpty() ? "unix socket" : address.toString();
    };
  }

  /** The name in the certificate that the other side has shown; empty where it has none. */
  private static String commonName(SSLSession session) {
    try {
      X509Certificate shown = (X509Certificate) session.getPeerCertificates()[0];
      for (Rdn part : new LdapName(shown.getSubjectX500Principal().getName()).getRdns()) {
        if (part.getType().equalsIgnoreCase("CN")) {
          return part.getValue().toString();
        }
      }
      return "";
    } catch (SSLPeerUnverifiedException | InvalidNameException e) {
      return "";
    }
  }
}
