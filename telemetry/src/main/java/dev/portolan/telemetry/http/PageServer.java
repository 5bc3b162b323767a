package dev.portolan.telemetry.http;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A few pages that can only be read, on one port. */
public final class PageServer implements AutoCloseable {
  private final Map<String, Supplier<Page>> pages;
  private final Optional<StandingPort> port;

  /**
   * What is answered.
   *
   * @param status of HTTP
   */
  public record Page(int status, String contentType, String body) {
    /** A text. */
    public static Page text(int status, String body) {
      return new Page(status, "text/plain; charset=utf-8", body);
    }
  }

  private PageServer(String address, String setting, Map<String, Supplier<Page>> pages) {
    this.pages = Map.copyOf(pages);
    this.port =
        address.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new StandingPort(
                    "pages",
                    setting,
                    BindAddress.parse(address),
                    StandingPort.PAUSE,
                    this::answer));
  }

  /**
   * Serves {@code pages} by path from now on.
   *
   * @param address such as {@code 127.0.0.1:10259}; nothing is opened where it is empty
   * @param setting where the address comes from, for messages
   * @throws PortUnavailableException where the port cannot be opened
   * @throws IllegalArgumentException where the address is none, with a sentence
   */
  public static PageServer open(String address, String setting, Map<String, Supplier<Page>> pages) {
    PageServer server = new PageServer(address, setting, pages);
    server.port.ifPresent(port -> port.open(true, problem -> {}));
    return server;
  }

  /** The number of the port; 0 where none is open. */
  public int port() {
    return port.map(StandingPort::number).orElse(0);
  }

  private Response answer(Request request) {
    if (!request.reads()) {
      return Response.onlyForReading();
    }
    Supplier<Page> page = pages.get(request.path());
    if (page == null) {
      return Response.notFound();
    }
    Page answer = page.get();
    return Response.of(answer.status(), answer.contentType(), answer.body());
  }

  /** Closes the port. */
  @Override
  public void close() {
    port.ifPresent(StandingPort::close);
  }
}
