package dev.portolan.doctor;

import dev.portolan.client.Connection;
import dev.portolan.client.LinkListener;
import dev.portolan.client.Position;
import dev.portolan.client.RemoteNode;
import dev.portolan.client.Subscription;
import dev.portolan.core.node.NodeImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a daemon has decided for its node, read once. */
public final class DaemonState {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private DaemonState() {}

  /** The newest image, under the daemon's own revision. */
  public static NodeImage read(Connection connection, String node) throws InterruptedException {
    CompletableFuture<NodeImage> first = new CompletableFuture<>();
    LinkListener failures =
        new LinkListener() {
          @Override
          public void lost(String sentence) {
            first.completeExceptionally(new IOException(sentence));
          }
        };
    Subscription wanted = Subscription.of(node).clientName("portolan doctor").listener(failures);
    try (RemoteNode remote = RemoteNode.open(connection, wanted)) {
      remote.onChange(() -> first.complete(numbered(remote)));
      if (remote.image().isSynced()) {
        first.complete(numbered(remote));
      }
      return first.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException lost
          ? new UncheckedIOException(lost.getMessage(), lost)
          : new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      String sentence = connection.address() + ": no state within " + PATIENCE.toSeconds() + " s";
      throw new UncheckedIOException(sentence, new IOException(sentence, e));
    }
  }

  private static NodeImage numbered(RemoteNode remote) {
    NodeImage image = remote.image();
    Position position = remote.position(image);
    return position.equals(Position.NONE)
        ? image
        : new NodeImage(position.revision(), image.facts(), image.services());
  }
}
