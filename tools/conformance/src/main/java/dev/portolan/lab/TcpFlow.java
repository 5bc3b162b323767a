package dev.portolan.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A TCP connection, made with the first question. */
final class TcpFlow implements ClientFlow {
  private final SocketChannel channel;
  private final InetSocketAddress target;

  /** Takes a bound channel. */
  TcpFlow(SocketChannel channel, InetSocketAddress target) {
    this.channel = channel;
    this.target = target;
  }

  @Override
  public Reply ask(Duration patience) {
    Socket socket = channel.socket();
    try {
      int millis = Math.toIntExact(patience.toMillis());
      if (!channel.isConnected()) {
        socket.connect(target, millis);
      }
      socket.setSoTimeout(millis);
      socket.getOutputStream().write("?\n".getBytes(StandardCharsets.US_ASCII));
      String line = readLine(socket.getInputStream());
      return AnswerLine.read(line, AnswerLine.peer(channel.getLocalAddress()));
    } catch (SocketTimeoutException e) {
      return new Reply.Dropped();
    } catch (ConnectException e) {
      return "Connection refused".equals(e.getMessage())
          ? new Reply.Rejected()
          : new Reply.Broken(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return new Reply.Broken(e.toString());
    }
  }

  private static String readLine(InputStream stream) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = stream.read(); c != '\n'; c = stream.read()) {
      if (c < 0) {
        throw new IOException("the connection ended before an answer");
      }
      line.append((char) c);
    }
    return line.toString();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
