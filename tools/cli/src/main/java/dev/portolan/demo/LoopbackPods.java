package dev.portolan.demo;

import dev.portolan.core.error.Threads;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Servers on localhost that play the pods: each answers every line with its name. */
final class LoopbackPods implements AutoCloseable {
  private static final String LOCALHOST = "127.0.0.1";

  private final Map<Ip, ServerSocket> servers = new TreeMap<>();

  /** A pod for each of these names, by its address in the cluster. */
  LoopbackPods(Map<Ip, String> names) {
    names.forEach((address, name) -> {
      try {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral(LOCALHOST));
        servers.put(address, server);
        Threads.virtual("demo pod").named(name).lasting().start(() -> accept(server, name));
      } catch (IOException e) {
        throw new UncheckedIOException("no server can be started on localhost", e);
      }
    });
  }

  /** Where the pod of an endpoint is. */
  InetSocketAddress place(Endpoint endpoint) {
    ServerSocket server = Objects.requireNonNull(servers.get(endpoint.address()));
    return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
  }

  private static void accept(ServerSocket server, String name) {
    try {
      while (true) {
        Socket client = server.accept();
        Threads.virtual("demo pod").start(() -> answer(client, name));
      }
    } catch (IOException e) {
      // The demo is over.
    }
  }

  private static void answer(Socket client, String name) {
    try (client) {
      byte[] line = (name + "\n").getBytes(StandardCharsets.UTF_8);
      for (int c = client.getInputStream().read(); c >= 0; c = client.getInputStream().read()) {
        if (c == '\n') {
          client.getOutputStream().write(line);
        }
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  @Override
  public void close() {
    servers
        .values()
        .forEach(server -> {
          try {
            server.close();
          } catch (IOException e) {
            // Nothing is accepted any more.
          }
        });
  }
}
