package dev.portolan.apiserver;

import dev.portolan.core.error.ErrorCode;
import dev.portolan.tls.Expiry;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Error messages for failed connections: the server, the cause, a remedy. */
final class ApiErrors {
  private static final String ALERT = "Received fatal alert: ";

  private ApiErrors() {}

  /** The server took too long. */
  static ApiException late(URI server, Duration waited) {
    return unreachable(
        server
            + ": no answer within "
            + (waited.toSeconds() > 0 ? waited.toSeconds() + " s" : waited.toMillis() + " ms")
            + "; the server is overloaded, or something in between drops packets",
        null);
  }

  /** The connection broke in the middle of an answer. */
  static ApiException brokenOff(URI server, IOException cause) {
    return unreachable(server + ": the answer broke off: " + text(cause), cause);
  }

  /** The request failed because of {@code cause}. */
  static ApiException because(ApiAccess access, Login login, @Nullable Throwable cause) {
    boolean refused =
        Expiry.in(cause).isEmpty()
            && (find(cause, SSLException.class).isPresent() || isClosed(cause));
    return (refused ? expired(access, login) : Optional.<ApiException>empty())
        .orElseGet(() -> unreachable(access.server() + ": " + sentence(access, cause), cause));
  }

  /** Whether the server refused what it was offered, which servers say with different alerts. */
  static boolean isHandshakeRefused(ApiException failure) {
    return find(failure, SSLException.class)
        .filter(alert -> text(alert).contains(ALERT))
        .isPresent();
  }

  /** Why the server does not accept the client, where that is because its certificate is old. */
  static Optional<ApiException> expired(ApiAccess access, Login login) {
    return login
        .identity()
        .flatMap(identity ->
            Expiry.of(identity)
                .map(end ->
                    new ApiException(
                        ErrorCode.CREDENTIALS,
                        "%s: the server does not accept the client, whose %s expired on %s; renew it (client-certificate)"
                            .formatted(access.server(), identity, end),
                        null)));
  }

  private static ApiException unreachable(String sentence, @Nullable Throwable cause) {
    return new ApiException(ErrorCode.API_SERVER_UNREACHABLE, sentence, cause);
  }

  private static String sentence(ApiAccess access, @Nullable Throwable cause) {
    if (find(cause, SSLException.class).isPresent()) {
      return tls(access, cause);
    }
    if (find(cause, HttpConnectTimeoutException.class).isPresent()) {
      return "no connection in time; check address and port, and that nothing in between drops"
          + " packets";
    }
    if (find(cause, UnresolvedAddressException.class).isPresent()
        || find(cause, UnknownHostException.class).isPresent()) {
      return "unknown host name; check it, and this machine's name servers";
    }
    if (find(cause, NoRouteToHostException.class).isPresent()) {
      return "no route to this host; check the address and the routes";
    }
    Optional<ConnectException> refused = find(cause, ConnectException.class);
    if (refused.isPresent()) {
      return refused(text(refused.get()));
    }
    if (isClosed(cause)) {
      return "the server closed the connection without an answer; "
          + (access.isSecure()
              ? "does it want another client certificate?"
              : "does it speak TLS? then write https://");
    }
    return "no answer: " + text(cause);
  }

  /** Whether the server closed the connection silently. */
  private static boolean isClosed(@Nullable Throwable cause) {
    return find(cause, EOFException.class).isPresent()
        || text(cause).contains("received no bytes")
        || text(cause).contains("Connection reset");
  }

  private static String refused(String text) {
    return text.contains("refused") || text.equals("ConnectException")
        ? "connection refused; check address and port, and that the API" + " server runs"
        : "no connection: " + text;
  }

  private static String tls(ApiAccess access, @Nullable Throwable cause) {
    Optional<String> expired = Expiry.in(cause);
    if (expired.isPresent()) {
      return "the server's certificate expired on "
          + expired.get()
          + "; renew it, or correct this machine's clock";
    }
    if (find(cause, CertificateNotYetValidException.class).isPresent()) {
      return "the server's certificate is not valid yet; correct this machine's clock";
    }
    Optional<CertPathValidatorException> weak =
        find(cause, CertPathValidatorException.class)
            .filter(refusal -> refusal.getReason() == BasicReason.ALGORITHM_CONSTRAINED);
    if (weak.isPresent()) {
      return "the server's certificate is too weak: "
          + text(weak.get())
          + "; replace it by one that is signed with SHA-256 or better, with a longer key";
    }
    if (find(cause, CertPathBuilderException.class).isPresent()
        || find(cause, CertPathValidatorException.class).isPresent()) {
      return "the server's certificate is not trusted: "
          + access
              .trust()
              .authority()
              .map(ca -> "no authority in " + ca.describe() + " signed it")
              .orElse("no authority of this system signed it, and no other was given")
          + "; give the authority of this server (certificate-authority)";
    }
    Optional<CertificateException> wrong = find(cause, CertificateException.class);
    if (wrong.isPresent()) {
      return "the server's certificate is for another name: "
          + text(wrong.get())
          + "; use an address that it names, or tls-server-name";
    }
    String text = text(find(cause, SSLException.class).orElseThrow());
    int alert = text.indexOf(ALERT);
    if (alert >= 0) {
      return alert(text.substring(alert + ALERT.length()));
    }
    if (text.contains("nrecognized SSL message")) {
      return "the server does not speak TLS at this port; check the port, or write http://";
    }
    return "the TLS handshake failed: " + text;
  }

  private static String alert(String name) {
    return switch (name) {
      case "bad_certificate",
          "certificate_required",
          "certificate_unknown",
          "certificate_expired",
          "certificate_revoked",
          "unsupported_certificate",
          "unknown_ca",
          "access_denied" ->
          "the server refused the client's certificate ("
              + name
              + "); give one that it trusts (client-certificate, client-key)";
      case "unrecognized_name" ->
          "the server does not know the name that it was asked for (unrecognized_name); use"
              + " another address, or tls-server-name";
      default -> "the server refused the TLS handshake (" + name + ")";
    };
  }

  /** The first cause of that type. */
  private static <T extends Throwable> Optional<T> find(@Nullable Throwable from, Class<T> type) {
    Throwable cause = from;
    for (int depth = 0; cause != null && depth < 20; depth++) {
      if (type.isInstance(cause)) {
        return Optional.of(type.cast(cause));
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  /** The nearest message there is. */
  private static String text(@Nullable Throwable from) {
    Throwable cause = from;
    for (int depth = 0; cause != null && depth < 20; depth++) {
      if (cause.getMessage() != null) {
        return cause.getMessage();
      }
      cause = cause.getCause();
    }
    return from == null ? "unknown" : from.getClass().getSimpleName();
  }
}
