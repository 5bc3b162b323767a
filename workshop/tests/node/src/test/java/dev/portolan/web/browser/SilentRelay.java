package dev.portolan.web.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes bytes between a browser and a chart, until it keeps them silently. */
final class SilentRelay implements AutoCloseable {
  private final URI chart;
  private final ServerSocket server;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile boolean silent;

  /** A relay to the chart at {@code url}. */
  SilentRelay(String url) throws IOException {
    chart = URI.create(url);
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Where the chart is behind the relay. */
  String url() {
    return "http://127.0.0.1:" + server.getLocalPort() + "/";
  }

  /** Passes nothing from now on; connections stay open. */
  void silence() {
    silent = true;
  }

  /** Connections that are made from now on work. */
  void speak() throws IOException {
    silent = false;
    close(sockets);
  }

  private void accept() {
    try {
      while (true) {
        Socket browser = server.accept();
        Socket served = new Socket(chart.getHost(), chart.getPort());
        sockets.addAll(List.of(browser, served));
        Thread.ofVirtual().start(() -> pass(browser, served));
        Thread.ofVirtual().start(() -> pass(served, browser));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void pass(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[8192];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        if (!silent) {
          out.write(buffer, 0, count);
        }
      }
    } catch (IOException e) {
      // One side is gone.
    }
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  @Override
  public void close() throws IOException {
    server.close();
    close(sockets);
  }
}
