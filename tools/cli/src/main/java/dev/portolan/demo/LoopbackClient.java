package dev.portolan.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection to a service, and who answers it. */
final class LoopbackClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 5_000;

  private final Socket socket = new Socket();
  private final BufferedReader answers;

  LoopbackClient(InetSocketAddress service) throws IOException {
    socket.connect(service, PATIENCE_MILLIS);
    socket.setSoTimeout(PATIENCE_MILLIS);
    answers =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  /** The pod that answers one question on this connection. */
  String ask() throws IOException {
    socket.getOutputStream().write('\n');
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("the connection was closed");
    }
    return answer;
  }

  /** The pod that answers a connection of its own, or why none does. */
  static String ask(InetSocketAddress service) {
    try (LoopbackClient client = new LoopbackClient(service)) {
      return client.ask();
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
