package dev.portolan.backend.userspace;

import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.ServicePortName;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * A connection that has ended, or a client of UDP that was forgotten.
 *
 * @param endpoint where it went; empty where no endpoint got it
 * @param fromClient how many bytes the client sent to the endpoint
 * @param toClient how many bytes the endpoint sent to the client
 */
public record AccessEntry(
    ServicePortName service,
    InetSocketAddress client,
    Optional<Endpoint> endpoint,
    long fromClient,
    long toClient,
    Duration time,
    Ending ending) {
  /** How a connection ended. */
  public enum Ending {
    /** Both sides had said all. */
    CLOSED("closed"),
    /** The client broke it off. */
    CLIENT_RESET("client-reset"),
    /** The endpoint broke it off. */
    ENDPOINT_RESET("endpoint-reset"),
    /** No endpoint could be reached. */
    UNREACHABLE("unreachable"),
    /** It was refused, as was decided. */
    REJECTED("rejected"),
    /** It was left without an answer, as was decided. */
    DROPPED("dropped"),
    /** No packet came for some time; for UDP. */
    IDLE("idle"),
    /** Its endpoint does not serve any more; for UDP. */
    ENDPOINT_GONE("endpoint-gone"),
    /** The proxy stopped. */
    STOPPED("stopped");

    private final String word;

    Ending(String word) {
      this.word = word;
    }

    /** The ending in one word. */
    @Override
    public String toString() {
      return word;
    }
  }

  /** One line: service, client, endpoint, bytes, duration and ending. */
  @Override
  public String toString() {
    return service.protocol().lower()
        + " "
        + service
        + " "
        + Sockets.ip(client.getAddress()).withPort(client.getPort())
        + " "
        + endpoint.map(Endpoint::toString).orElse("-")
        + " in="
        + fromClient
        + " out="
        + toClient
        + " time="
        + time.toMillis()
        + "ms end="
        + ending;
  }
}
