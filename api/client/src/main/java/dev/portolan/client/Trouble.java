package dev.portolan.client;

import dev.portolan.api.transport.Address;
import dev.portolan.tls.Expiry;
import io.grpc.Status;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Why a server could not be followed, in words for a person. */
final class Trouble {
  private static final Pattern TOO_LARGE = Pattern.compile("exceeds maximum size (\\d+): (\\d+)");

  private Trouble() {}

  /** Where, why, and what to do. */
  static String sentence(Address address, Status status) {
    return address + ": " + reason(address, status);
  }

  private static String reason(Address address, Status status) {
    String said = Optional.ofNullable(status.getDescription()).orElse("");
    if (causes(status).anyMatch(cause -> message(cause).contains("was not SETTINGS"))) {
      return "the server does not speak gRPC, or needs certificates; check the address and"
          + " --tls-key, --tls-crt and --tls-ca";
    }
    return switch (status.getCode()) {
      case OK -> "the server ended the stream; retrying";
      case UNAVAILABLE -> unavailable(address, status, said);
      case RESOURCE_EXHAUSTED -> exhausted(said);
      case UNIMPLEMENTED ->
          "the server does not support this API (" + said + "); is it a 'portolan brain'?";
      case DEADLINE_EXCEEDED -> "the server does not answer; is it overloaded or stopped?";
      case INVALID_ARGUMENT,
          PERMISSION_DENIED,
          UNAUTHENTICATED,
          FAILED_PRECONDITION,
          NOT_FOUND,
          ABORTED ->
          said.isEmpty() ? "the server rejects the request (" + status.getCode() + ")" : said;
      case CANCELLED, UNKNOWN, ALREADY_EXISTS, OUT_OF_RANGE, INTERNAL, DATA_LOSS ->
          "the stream broke (" + detail(status, said) + ")";
    };
  }

  /** Whether a connection was given up because nothing came, and not because the other end did. */
  static boolean isSilence(Status status) {
    return Optional.ofNullable(status.getDescription()).orElse("").contains("Keepalive failed")
        || causes(status).anyMatch(cause -> message(cause).contains("timed out"));
  }

  private static String exhausted(String said) {
    Matcher sizes = TOO_LARGE.matcher(said);
    return sizes.find()
        ? "the server sent an item of "
            + sizes.group(2)
            + " bytes, but at most "
            + sizes.group(1)
            + " are allowed; raise --max-msg-size"
        : said;
  }

  private static String unavailable(Address address, Status status, String said) {
    String causes = causes(status).map(Throwable::toString).reduce("", (a, b) -> a + " " + b);
    if (has(status, NotSslRecordException.class)) {
      return "the server does not use certificates; remove --tls-key, --tls-crt and --tls-ca";
    }
    Optional<String> expired = Expiry.in(status.getCause());
    if (expired.isPresent()) {
      return "the server's certificate expired on "
          + expired.get()
          + "; renew it, or correct this machine's clock";
    }
    if (has(status, SSLException.class)
        && last(status, SSLException.class).contains("Received fatal alert")) {
      return "the server rejects this side's certificate ("
          + last(status, SSLException.class)
          + "); --tls-crt must be valid now and signed by an authority that the server's --tls-ca"
          + " has";
    }
    if (has(status, SSLException.class)) {
      return "the certificates do not match ("
          + last(status, SSLException.class)
          + "); compare --tls-ca with the server's, and its certificate with the host name";
    }
    if (has(status, UnknownHostException.class) || has(status, UnresolvedAddressException.class)) {
      return "unknown host; check the name";
    }
    if (causes.contains("No such file or directory")) {
      return "no such socket; is 'portolan brain' running?";
    }
    if (causes.contains("Permission denied")) {
      return "permission denied; run as root or as a member of the socket's group";
    }
    if (has(status, ConnectException.class)
        || causes.toLowerCase(Locale.ROOT).contains("refused")) {
      return "connection refused; is 'portolan brain' running?";
    }
    if (address instanceof Address.InProcess && said.startsWith("Could not find server")) {
      return "no server with that name in this process; start it first";
    }
    if (isSilence(status)) {
      return "the server stopped responding; is it stopped, or is the network down?";
    }
    if (address instanceof Address.Unix
        && (said.contains("performing protocol negotiation")
            || causes.contains("Connection reset"))) {
      return "the server closed the connection; if this persists, the server may not allow this"
          + " user (--allow-uid, --allow-gid) or may have too many connections"
          + " (--max-clients): see its log";
    }
    if (said.startsWith("Network closed")) {
      return address instanceof Address.Tcp
          ? "the connection was closed; if this persists, check the address, and whether the server"
              + " needs certificates (--tls-key, --tls-crt, --tls-ca)"
          : "the connection was closed; is the server restarting?";
    }
    return "the connection broke (" + detail(status, said) + ")";
  }

  /** What lies deepest says most. */
  private static String detail(Status status, String said) {
    String deepest =
        causes(status)
            .map(Trouble::message)
            .filter(message -> !message.isBlank())
            .reduce("", (a, b) -> b);
    return deepest.isEmpty() ? (said.isEmpty() ? "no reason given" : said) : deepest;
  }

  private static Stream<Throwable> causes(Status status) {
    return Stream.iterate(status.getCause(), cause -> cause != null, Throwable::getCause).limit(20);
  }

  private static String message(Throwable cause) {
    return cause.getMessage() == null ? "" : cause.getMessage();
  }

  private static boolean has(Status status, Class<? extends Throwable> type) {
    return causes(status).anyMatch(type::isInstance);
  }

  private static String last(Status status, Class<? extends Throwable> type) {
    return causes(status).filter(type::isInstance).map(Trouble::message).reduce("", (a, b) -> b);
  }
}
