package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources that change, that do not answer, or that stand with the user; the rest are sessions. */
final class SourcesTest {
  @TempDir private Path folder;

  private static String service(String name, String ip) {
    return """
    apiVersion: v1
    kind: Service
    metadata: {namespace: shop, name: %s, labels: {app: %s, tier: front}}
    spec: {clusterIP: "%s", clusterIPs: ["%s"], ports: [{name: http, port: 80}]}
    """
        .formatted(name, name, ip, ip);
  }

  @Test
  void severalSourcesAreFollowed() throws Exception {
    Path own = Files.writeString(folder.resolve("own.yaml"), service("extra", "10.96.99.1"));
    try (Background show =
        new Background(
            "show",
            "-w",
            "--from=file:" + own,
            "--from=file:" + Shell.SHOP,
            "--node=worker-1",
            "-n=shop")) {
      show.await(show.out, "shop/extra:http");
      Path draft = folder.resolve("draft");
      Files.writeString(draft, service("late", "10.96.99.3"));
      Files.move(draft, own, StandardCopyOption.REPLACE_EXISTING);
      show.await(show.out, "+ shop/late:http");
      assertThat(show.out.toString()).contains("- shop/extra");
    }
  }

  @Test
  void aTildeIsTheHomeOfTheUser() {
    assertThat(Shell.run("show", "--from=file:~/no-such-file", "--node=x").err())
        .startsWith("portolan: " + System.getProperty("user.home") + "/no-such-file: no such file");
  }

  @Test
  void aServerThatDoesNotAnswerIsNotAskedAgain() throws Exception {
    Path config = folder.resolve("config");
    Files.writeString(
        config,
        """
        current-context: c
        contexts: [{name: c, context: {cluster: k}}]
        clusters: [{name: k, cluster: {server: 'http://127.0.0.1:1'}}]
        """);
    Result result = Shell.run("show", "--from=kube", "--kubeconfig=" + config, "--node=x");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .contains("http://127.0.0.1:1")
        .contains("connection refused")
        .doesNotContain("retrying");
  }

  @Test
  void labelsSelectServicesOfABrainToo() throws Exception {
    String[] asked = {"show", "--node=worker-1", "-l=tier=front,app!=extra", "-o=name"};
    Path place = Files.createDirectory(folder.resolve("brain"));
    try (ServedShop shop = new ServedShop(place);
        Background brain = Background.of(asked, shop.api(), "--watch");
        Background files = Background.of(asked, "--from=file:" + shop.folder, "-w")) {
      assertThat(Background.run(asked, shop.api()).out()).isEmpty();
      shop.replace("services.yaml", "name: web}", "name: web, labels: {tier: front, app: web}}");
      brain.await(brain.out, "service/shop/web\n");
      files.await(files.out, "service/shop/web\n");
      assertThat(Background.run(asked, shop.api()).out()).isEqualTo("service/shop/web\n");
      shop.replace("services.yaml", "app: web}", "app: extra}");
      brain.await(brain.out, "service/shop/web\nservice/shop/web\n");
      files.await(files.out, "service/shop/web\nservice/shop/web\n");
      assertThat(Background.run(asked, shop.api()).out()).isEmpty();
    }
    try (ServedShop shop =
        new ServedShop(Files.createDirectory(folder.resolve("bare")), "--service-metadata=false")) {
      assertThat(Background.run(asked, shop.api()).err())
          .contains("does not keep labels and annotations; start it with --service-metadata");
    }
  }
}
