package dev.portolan.web.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Reads the stream of changes, event by event. */
final class EventReader implements AutoCloseable {
  private final Socket socket;
  private final BufferedReader reader;

  /** An event with its data. */
  record Event(String name, Map<String, Object> data) {}

  /** Opens the stream of the chart at {@code url}; {@code buffer} is what the system may hold. */
  EventReader(String url, int buffer) throws IOException {
    URI uri = URI.create(url);
    socket = new Socket();
    if (buffer > 0) {
      socket.setReceiveBufferSize(buffer);
    }
    socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()));
    socket.setSoTimeout(60_000);
    socket
        .getOutputStream()
        .write(
            // Version 1.0 has no chunks to put together.
            ("GET /api/events HTTP/1.0\r\nHost: " + uri.getAuthority() + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    reader =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  /** The next event; what else is between events is passed over. */
  @SuppressWarnings("unchecked")
  Event next() throws IOException {
    String name = "";
    while (true) {
      String line = reader.readLine();
      if (line == null) {
        throw new IOException("the stream has ended");
      }
      if (line.startsWith("event: ")) {
        name = line.substring("event: ".length());
      } else if (line.startsWith("data: ") && !name.isEmpty()) {
        return new Event(
            name,
            (Map<String, Object>)
                new Load(LoadSettings.builder().build())
                    .loadFromString(line.substring("data: ".length())));
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
