package dev.portolan.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.Options;
import dev.portolan.server.access.Access;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.FreePort;
import dev.portolan.testbase.OwnJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Brains that share a name share the nodes, and one that is away is passed over. */
final class SpreadTest {
  private static final int CLIENTS = 32;

  /** A process of its own, because the JVM reads the file of host names only once. */
  @Test
  void clientsOfANameWithTwoAddressesUseBoth(@TempDir Path folder) throws Exception {
    Path hosts = Files.writeString(folder.resolve("hosts"), "127.0.0.1 brains\n127.0.0.2 brains\n");
    Process process =
        new ProcessBuilder(
                OwnJvm.words(
                    List.of("-XX:TieredStopAtLevel=1", "-Djdk.net.hosts.file=" + hosts),
                    SpreadTest.class))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(output).isEqualTo("[first, second]\n[second]\n");
  }

  /** Prints which brains clients found: of two, and after the first of them has ended. */
  public static void main(String[] args) throws Exception {
    int port = FreePort.next();
    BrainServer first = serve("127.0.0.1", port, "first");
    try (BrainServer second = serve("127.0.0.2", port, "second")) {
      System.out.println(found(port));
      first.close();
      System.out.println(found(port));
      assertThat(second.addresses()).hasSize(1);
    }
  }

  private static BrainServer serve(String host, int port, String name) {
    return BrainServer.start(
        new World().brain,
        Options.builder()
            .listen(ListenAddress.plain(new Address.Tcp(host, port)))
            .access(Access.DEFAULT.withInsecureLoopback())
            .source(name)
            .build());
  }

  private static Set<String> found(int port) throws Exception {
    Set<String> names = new TreeSet<>();
    for (int i = 0; i < CLIENTS; i++) {
      try (Connection connection =
          Connection.open(new Address.Tcp("brains", port), Optional.empty())) {
        names.add(connection.nodes().getSource());
      }
    }
    return names;
  }
}
