package dev.portolan.telemetry.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.portolan.testbase.Await;
import dev.portolan.testbase.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client that sends exactly the given bytes. */
public final class Wire implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  /** Connects to a port of this host. */
  public Wire(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) Await.PATIENCE.toMillis());
    in = socket.getInputStream();
  }

  /** What came back; headers by name in small letters. */
  public record Answer(int status, Map<String, String> headers, String body) {
    public String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  /** Asks once, in a connection of its own. */
  public static Answer get(int port, String path, String... headers) throws IOException {
    return ask(port, "GET", path, "", headers);
  }

  public static Answer ask(int port, String method, String path, String body, String... headers)
      throws IOException {
    List<String> lines = new ArrayList<>(List.of(method + " " + path + " HTTP/1.1", "Host: here"));
    lines.addAll(List.of(headers));
    if (!body.isEmpty()) {
      lines.add("Content-Length: " + body.length());
    }
    lines.add("Connection: close");
    try (Wire wire = new Wire(port)) {
      wire.send(String.join("\r\n", lines) + "\r\n\r\n" + body);
      Answer answer = wire.answer(!method.equals("HEAD"));
      if (!wire.isClosedByServer()) {
        throw new IOException("the server did not close the connection");
      }
      return answer;
    }
  }

  public void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
  }

  /** The next bytes, as a text. */
  public String read(int length) throws IOException {
    return new String(in.readNBytes(length), ISO_8859_1);
  }

  /** Reads one answer. */
  public Answer answer(boolean withBody) throws IOException {
    String status = line();
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(": ");
      headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
    }
    int length = withBody ? Integer.parseInt(headers.get("content-length")) : 0;
    return new Answer(Integer.parseInt(status.split(" ", -1)[1]), headers, read(length));
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int c = in.read();
      if (c < 0) {
        throw new IOException("closed after '" + line + "'");
      }
      if (c == '\n') {
        return line.substring(0, line.length() - 1);
      }
      line.append((char) c);
    }
  }

  /** Waits for the end of the stream, and reads nothing but that. */
  public boolean isClosedByServer() {
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** A port that is taken until it is closed. */
  public static ServerSocket takenPort() throws IOException {
    return new ServerSocket(FreePort.next(), 1, InetAddress.getLoopbackAddress());
  }
}
