package dev.portolan.lab;

import dev.portolan.core.error.Threads;
import dev.portolan.core.net.Ip;
import dev.portolan.lab.Reply.Peer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** All SCTP servers of the lab, in one thread over raw sockets. */
final class SctpServers implements AutoCloseable {
  private static final int TURN_MILLIS = 20;

  private final Map<RawSocket, Listener> listeners = new ConcurrentHashMap<>();
  private final Map<String, Listener> byPlace = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean closed;

  /** An address, and the servers on its ports. */
  private record Listener(Map<Integer, String> names) {}

  SctpServers() {
    thread = Threads.platform("lab SCTP servers").lasting().start(this::serve);
  }

  /** Listens inside {@code namespace}. */
  synchronized void listen(Namespace namespace, String name, Ip address, int port)
      throws IOException {
    String place = namespace + " " + address;
    Listener known = byPlace.get(place);
    if (known == null) {
      known = new Listener(new ConcurrentHashMap<>());
      byPlace.put(place, known);
      RawSocket socket = namespace.call(() -> RawSocket.open(SctpPacket.PROTOCOL, address));
      listeners.put(socket, known);
    }
    known.names.putIfAbsent(port, name);
  }

  private void serve() {
    while (!closed) {
      List<RawSocket> sockets = new ArrayList<>(listeners.keySet());
      for (RawSocket socket : RawSocket.ready(sockets, TURN_MILLIS)) {
        Listener listener = listeners.get(socket);
        RawSocket.Received received = socket.receive();
        if (listener != null && received.error() == 0) {
          SctpPacket.decode(received.payload(), 0)
              .filter(packet -> packet.chunk() == SctpPacket.INIT)
              .ifPresent(init -> answer(socket, listener, init, received.source()));
        }
      }
    }
  }

  private static void answer(RawSocket socket, Listener listener, SctpPacket init, Ip client) {
    String name = listener.names.get(init.port());
    if (name != null) {
      String line = AnswerLine.text(name, init.port(), new Peer(client, init.sourcePort()));
      SctpPacket ack = new SctpPacket(init.port(), init.sourcePort(), SctpPacket.INIT_ACK, 1, line);
      int _ = socket.send(ack.encode(init.tag()), client);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    listeners.keySet().forEach(RawSocket::close);
  }
}
