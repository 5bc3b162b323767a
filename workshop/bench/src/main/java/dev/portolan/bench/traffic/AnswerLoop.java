package dev.portolan.bench.traffic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A thread that accepts on several listeners and sends a byte over each connection at once. */
public final class AnswerLoop implements AutoCloseable {
  private final Selector selector;
  private final List<SocketChannel> accepted = new ArrayList<>();
  private final CompletableFuture<Void> answers;
  private volatile boolean closed;

  /** Starts on {@code servers}, which must not block. */
  public AnswerLoop(List<ServerSocketChannel> servers) throws IOException {
    selector = Selector.open();
    for (ServerSocketChannel server : servers) {
      server.register(selector, SelectionKey.OP_ACCEPT);
    }
    answers =
        CompletableFuture.runAsync(this::answer, it -> Thread.ofPlatform().daemon().start(it));
  }

  private void answer() {
    ByteBuffer answer = ByteBuffer.allocate(1);
    while (!closed) {
      try {
        selector.select(key -> {
          try {
            SocketChannel socket = ((ServerSocketChannel) key.channel()).accept();
            if (socket != null) {
              accepted.add(socket);
              var _ = socket.write(answer.clear());
            }
          } catch (IOException e) {
            // A client that went away.
          }
        });
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Stops, and closes the connections. */
  @Override
  public void close() throws IOException {
    closed = true;
    selector.wakeup();
    answers.join();
    selector.close();
    for (SocketChannel socket : accepted) {
      socket.close();
    }
  }
}
