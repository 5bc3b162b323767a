package dev.portolan.bench.floor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Sends the same answers as an API server, from memory and without TLS. */
public final class StoredAnswers implements AutoCloseable {
  private static final byte[] HEAD = "HTTP/1.0 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Map<String, byte[]> bodies;
  private final ServerSocket server;

  /** Serves each path's body. */
  public StoredAnswers(Map<String, byte[]> bodies) throws IOException {
    this.bodies = bodies;
    this.server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::serve);
  }

  /** Reads all of them at once, and throws them away; returns the seconds. */
  public double read() throws InterruptedException {
    return BareClient.plain(server.getLocalPort()).read(List.copyOf(bodies.keySet()));
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofPlatform().daemon().start(() -> answer(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void answer(Socket socket) {
    try (socket) {
      byte[] request = new byte[1 << 12];
      int length = socket.getInputStream().read(request);
      String path = new String(request, 0, length, StandardCharsets.US_ASCII).split(" ", 3)[1];
      socket.getOutputStream().write(HEAD);
      socket.getOutputStream().write(bodies.get(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
