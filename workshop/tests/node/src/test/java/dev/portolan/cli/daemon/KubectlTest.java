package dev.portolan.cli.daemon;

import dev.portolan.testbase.Await;
import dev.portolan.testbase.RepositoryRoot;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Kubectl;
import dev.portolan.testkit.peers.NeedsBuilt;
import dev.portolan.testkit.peers.SharedControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a first-time user does: apply the example shop with kubectl. */
@NeedsPeers
@NeedsBuilt({"etcd", "kube-apiserver", "kubectl"})
final class KubectlTest {
  private static final Path SHOP = RepositoryRoot.resolve("examples/shop");

  @TempDir private Path folder;

  /** A file of the shop; the server of the test has other addresses of the second family. */
  private Path shop(String name) throws IOException {
    String text = Files.readString(SHOP.resolve(name)).replace("fd00:10:96::", "fd10:96::");
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void theShopIsServed() throws Exception {
    ControlPlane plane = SharedControlPlane.empty();
    try (Host host = new Host(plane, "worker-1", 1);
        Daemon daemon = host.start()) {
      Kubectl.run(plane, "create", "namespace", "shop");
      Kubectl.run(plane, "create", "namespace", "monitoring");
      for (String file : List.of("nodes.yaml", "services.yaml", "endpointslices.yaml")) {
        Kubectl.run(plane, "apply", "--filename=" + shop(file));
      }
      daemon.awaitSync();
      Await.until(
          () -> host.ruleset() + daemon.log(),
          () -> host.ruleset().contains("shop/web:http") && host.ruleset().contains("10.244.1.51"));
      Await.until(daemon::log, () -> Kubectl.run(plane, "get", "events").contains("Starting"));

      Kubectl.run(plane, "delete", "service", "--namespace=shop", "web");
      Await.until(daemon::log, () -> !host.ruleset().contains("shop/web:http"));
    }
  }
}
