package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.client.Connection;
import dev.portolan.client.LinkListener;
import dev.portolan.client.RemoteNode;
import dev.portolan.client.Subscription;
import dev.portolan.sessions.Background;
import dev.portolan.sessions.ServedShop;
import dev.portolan.sessions.Shell;
import dev.portolan.testbase.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A brain that is stopped while it runs, as by a debugger or a full disk. */
final class FrozenBrainTest {

  @TempDir private Path folder;
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  @Test
  void itsClientsGoToTheOneThatTakesItsPlace() throws Exception {
    Path socket = folder.resolve("brain.sock");
    Process frozen =
        RealProgram.start(
            folder, "brain", "--from=file:" + Shell.SHOP, "--listen=unix://" + socket);
    Connection.Options often = Connection.Options.DEFAULT.heartbeat(Duration.ofMillis(400));
    try (Connection connection =
            Connection.open(new Address.Unix(socket), Optional.empty(), often);
        RemoteNode node = RemoteNode.open(connection, subscription())) {
      await("connected");
      Await.until("the state", () -> node.image().isSynced());
      signal(frozen, "STOP");
      await("no sign of life from the server for 1 s");
      assertThat(node.image().services()).hasSize(9);
      Files.delete(socket);
      try (Background _ = ServedShop.serve("file:" + Shell.SHOP, socket, List.of())) {
        await("connected");
        assertThat(node.image().revision()).as("nothing differs").isEqualTo(1);
      }
    } finally {
      frozen.destroyForcibly().waitFor();
    }
  }

  private Subscription subscription() {
    return Subscription.of("worker-1")
        .errorDelay(Duration.ofMillis(100))
        .listener(
            new LinkListener() {
              @Override
              public void connected() {
                said.add("connected");
              }

              @Override
              public void lost(String sentence) {
                said.add(sentence);
              }
            });
  }

  private static void signal(Process process, String name)
      throws IOException, InterruptedException {
    String pid = Long.toString(process.pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  private void await(String sentence) {
    Await.text(sentence, () -> Await.next(said));
  }
}
