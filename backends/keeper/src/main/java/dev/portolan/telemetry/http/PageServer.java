package dev.portolan.telemetry.http;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A few pages that can only be read, on one port. */
public final class PageServer implements AutoCloseable {
  private final Map<String, Function<Request, Response>> pages;
  private final Optional<StandingPort> port;

  private PageServer(
      String address, String setting, Map<String, Function<Request, Response>> pages) {
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
  public static PageServer open(
      String address, String setting, Map<String, Function<Request, Response>> pages) {
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
    Function<Request, Response> page = pages.get(request.path());
    return page == null ? Response.notFound() : page.apply(request);
  }

  /** Closes the port. */
  @Override
  public void close() {
    port.ifPresent(StandingPort::close);
  }
}
