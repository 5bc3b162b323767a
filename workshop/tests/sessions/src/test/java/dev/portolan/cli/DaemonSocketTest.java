package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.Options;
import dev.portolan.sessions.Background;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.source.file.Manifests;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that name neither a source nor a server ask the daemon of their node. */
final class DaemonSocketTest {
  private static final String PROPERTY = "portolan.daemon.socket";

  @TempDir private Path folder;
  private String address;

  @BeforeEach
  void moveSocket() {
    address = "unix://" + folder.resolve("node.sock");
    System.setProperty(PROPERTY, address);
  }

  @AfterEach
  void moveBack() {
    System.clearProperty(PROPERTY);
  }

  /** As much of a daemon as can be asked. */
  private BrainServer daemon() throws Exception {
    Brain brain = new Brain(warning -> {});
    brain.apply(ClusterDelta.between(ClusterImage.EMPTY, Manifests.read(Shell.SHOP).image()));
    BrainServer server =
        BrainServer.start(
            brain,
            Options.builder()
                .only(brain.open("worker-1", NodeSettings.DEFAULT))
                .listen(ListenAddress.plain(Address.parse(address)))
                .build());
    server.backend("worker-1", "nftables").applied(1);
    return server;
  }

  @Test
  void theDaemonIsAskedWhereNothingElseIsNamed() throws Exception {
    try (BrainServer _ = daemon();
        Background watch = new Background("watch")) {
      assertThat(Shell.run("show")).isEqualTo(Shell.shop("worker-1", "show"));
      assertThat(Shell.run("show", "--node=worker-1").status()).isZero();
      assertThat(Shell.run("explain", "shop/web:http", "--client=10.244.1.7").lines())
          .startsWith("10.96.20.10:80/TCP  from 10.244.1.7  →  forward");
      assertThat(Shell.run("nodes").out()).containsPattern("worker-1 +nftables +1 +1 ");
      watch.await(watch.out, "shop/web:http");
      assertThat(Shell.run("show", "--node=worker-2").err())
          .isEqualTo(
              "portolan: "
                  + address
                  + ": this server answers for the node worker-1 only; ask the one on worker-2, or"
                  + " a 'portolan brain' [PORT-403]\n");
      assertThat(Shell.run("show", "--from=api:" + address).err())
          .isEqualTo(
              "portolan: "
                  + address
                  + ": this server answers for the node worker-1 only, not for the cluster; ask a"
                  + " 'portolan brain' [PORT-403]\n");
      assertThat(Shell.shop("worker-2", "show", "node").out()).contains("worker-2");
    }
  }

  @Test
  void withoutADaemonTheMistakeNamesItsSocket() {
    for (List<String> line : List.of(List.of("show"), List.of("explain", "shop/web"))) {
      Result result = Shell.run(line.toArray(String[]::new));
      assertThat(result.status()).isEqualTo(2);
      assertThat(result.err().lines())
          .first()
          .asString()
          .startsWith("portolan: --from is required; write file:PATH ")
          .endsWith(
              "; or name a server with --api: this node's daemon would be asked, but it does not"
                  + " listen on "
                  + address);
    }
  }
}
