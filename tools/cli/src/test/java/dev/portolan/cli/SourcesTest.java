package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a cluster is read from, and what becomes of several places. */
final class SourcesTest {
  @TempDir private Path folder;
  private Path own;

  @BeforeEach
  void write() throws Exception {
    own = folder.resolve("own.yaml");
    Files.writeString(own, service("extra", "10.96.99.1") + "---\n" + service("web", "10.96.99.2"));
  }

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
  void severalSourcesAreOneClusterAndTheFirstCounts() {
    Result both = show("file:" + own, "file:" + Shell.SHOP);
    assertThat(both.status()).as(both.err()).isZero();
    assertThat(both.lines())
        .anySatisfy(line -> assertThat(line).startsWith("shop/extra:http").contains("10.96.99.1"))
        .anySatisfy(line -> assertThat(line).startsWith("shop/web:http").contains("10.96.99.2"))
        .anySatisfy(line -> assertThat(line).startsWith("shop/cart:grpc"));
    assertThat(both.err())
        .contains("Service shop/web: already in a source before it, which counts");

    Result other = show("file:" + Shell.SHOP, "file:" + own);
    assertThat(other.out()).contains("10.96.99.1").doesNotContain("10.96.99.2");
  }

  @Test
  void explainNamesTheSource() {
    Result result =
        Shell.run(
            "explain",
            "--from=file:" + own,
            "--from=file:" + Shell.SHOP,
            "--node=worker-1",
            "shop/extra");
    assertThat(result.out()).contains("Service shop/extra").contains("own.yaml:1");
  }

  @Test
  void severalSourcesAreFollowed() throws Exception {
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
  void standardInputIsASource() {
    InputStream before = System.in;
    System.setIn(
        new ByteArrayInputStream(service("piped", "10.96.99.4").getBytes(StandardCharsets.UTF_8)));
    try {
      Result result = Shell.run("show", "--from", "file:-", "--node=x", "-o", "name");
      assertThat(result.lines()).containsExactly("service/shop/piped");
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void whatPeopleWriteForAFileWorksOrIsExplained() {
    assertThat(Shell.run("show", "--from=file://" + own, "--node=x").status()).isZero();
    Result bare = Shell.run("show", "--from=" + own, "--node=x");
    assertThat(bare.status()).isEqualTo(2);
    assertThat(bare.err())
        .startsWith(
            "portolan: --from: '" + own + "' has no kind of source; did you mean file:" + own);
    assertThat(Shell.run("show", "--from=file:~/no-such-file", "--node=x").err())
        .startsWith("portolan: " + System.getProperty("user.home") + "/no-such-file: no such file");
  }

  @Test
  void optionsOfAnApiServerNeedOne() {
    for (String option : new String[] {"--context=a", "--kubeconfig=a", "--as=a", "--as-group=a"}) {
      Result result = Shell.run("show", "--from=file:" + own, "--node=x", option);
      assertThat(result.status()).isEqualTo(2);
      assertThat(result.err())
          .contains(option.replace("=a", "") + " is for --from kube; remove it");
    }
    assertThat(Shell.run("show", "--from=kube:a", "--kubeconfig=b").err())
        .contains("--from kube:a names a file too; use only one");
    assertThat(Shell.run("show", "--from=kube", "--kubeconfig=/no/such", "--as-group=b").err())
        .contains("/no/such: no such file");
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
  void labelsSelectServices() {
    assertThat(show("file:" + own, "-l=app=extra", "-o=name").lines())
        .containsExactly("service/shop/extra");
    assertThat(show("file:" + own, "-l", "tier in (front),app!=extra", "-o", "name").lines())
        .containsExactly("service/shop/web");
    assertThat(show("file:" + own, "-l=a b").err()).startsWith("portolan: -l: 'a b' is not a");
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

  private static Result show(String first, String second, String... more) {
    return Shell.run(
        Stream.concat(
                Stream.of(
                    "show",
                    "--node=worker-1",
                    "--from=" + first,
                    second.startsWith("-") ? second : "--from=" + second),
                Arrays.stream(more))
            .toArray(String[]::new));
  }
}
