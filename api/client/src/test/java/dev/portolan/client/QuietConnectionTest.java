package dev.portolan.client;

import static dev.portolan.client.World.NODE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.Methods;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.transport.Address;
import dev.portolan.testbase.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Connections on which nothing is sent, to servers that send no heartbeats. */
final class QuietConnectionTest {
  /** Java has sockets of both families, also for addresses of IPv4. */
  private static final Path SOCKETS = Path.of("/proc/self/net/tcp6");

  /** A keepalive timer of the kernel that has not run out yet. */
  private static final String KEEPALIVE = "02";

  @TempDir Path folder;

  @Test
  @EnabledOnOs(OS.LINUX)
  void theKernelAsksTheOtherKernel() throws Exception {
    Path socket = folder.resolve("api.sock");
    try (ScriptedServer<WatchReq> server = ScriptedServer.unix(socket, Methods.LOCAL_WATCH);
        ChaosProxy proxy = ChaosProxy.before(socket);
        Connection connection = Connection.open(proxy.address(), Optional.empty());
        RemoteNode node = RemoteNode.open(connection, Subscription.of(NODE))) {
      server.stream().whole(new World().image(), 7, 1);
      Await.until("the state", () -> node.image().isSynced());
      Address.Tcp address = (Address.Tcp) proxy.address();
      Await.until(
          "a timer of ten seconds",
          () -> timer(address.port()).compareTo(Duration.ofSeconds(10)) <= 0);
    }
  }

  /** When the kernel asks next on the connection to {@code port}. */
  private static Duration timer(int port) throws IOException {
    String peer = "0100007F:%04X".formatted(port);
    return Files.readAllLines(SOCKETS).stream()
        .map(line -> List.of(line.strip().split("\\s+")))
        .filter(words -> words.get(2).endsWith(peer) && words.get(5).startsWith(KEEPALIVE))
        .map(words -> Duration.ofMillis(10 * Long.parseLong(words.get(5).substring(3), 16)))
        .findFirst()
        .orElse(Duration.ofDays(1));
  }

  @Test
  void aServerIsNotPingedMoreOftenThanGrpcAllows() {
    assertThat(Connection.Options.DEFAULT.keepAlive()).isGreaterThan(Duration.ofMinutes(5));
  }
}
