package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.HttpPage;
import dev.portolan.sessions.ServedShop;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.Certificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What needs a process, certificates, or a comparison with files; the rest are sessions. */
final class BrainTest {
  @TempDir private Path folder;

  @Test
  void itsLogCanBeReadByAMachineAndNameEachChange() throws Exception {
    try (ServedShop shop = new ServedShop(folder, "--logging-format=json", "-v", "2")) {
      shop.replace("services.yaml", "nodePort: 30080", "nodePort: 30081");
      shop.awaitLog("\"msg\":\"cluster revision 2: Service shop/admin\"");
      assertThat(shop.log().lines().map(Shell::tree))
          .allSatisfy(line -> assertThat(line).containsKeys("ts", "caller", "msg"));
    }
  }

  @Test
  void aFileThatIsCutOffInAnEscapeLeavesItAsItWas() throws Exception {
    try (ServedShop shop = new ServedShop(folder)) {
      Files.writeString(shop.folder.resolve("half.yaml"), "kind: \"\\u");
      shop.awaitLog("half.yaml:1:10: ");
      shop.awaitShown("30080");
      Files.writeString(shop.folder.resolve("half.yaml"), "");
      shop.replace("services.yaml", "nodePort: 30080", "nodePort: 30081");
      shop.awaitShown("30081");
      assertThat(shop.stop()).isZero();
    }
  }

  @Test
  void aSignalEndsItAndRemovesTheSocket() throws Exception {
    Path socket = folder.resolve("b.sock");
    Process process =
        RealProgram.start(
            folder, "brain", "--from=file:" + Shell.SHOP, "--listen=unix://" + socket);
    try {
      Path log = folder.resolve("stderr");
      Await.text("synced: ", () -> Files.readString(log));
      assertThat(socket).exists();
      process.destroy();
      Result result = RealProgram.end(folder, process);
      assertThat(result.status()).as(result.err()).isZero();
      assertThat(result.err()).endsWith("stopped\n");
      assertThat(socket).doesNotExist();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void showPrintsTheSameAsOverFiles() throws Exception {
    try (ServedShop shop = new ServedShop(folder)) {
      for (String listing : List.of("services", "endpoints", "node")) {
        for (String format : List.of("table", "wide", "json", "yaml")) {
          String[] question = {"--node=worker-2", listing, "-o", format};
          Result files = Shell.over(Shell.SHOP, "show", question);
          assertThat(run("show", shop.api(), question)).as(listing + format).isEqualTo(files);
          assertThat(run("show", "--from=api:" + shop.address(), question)).isEqualTo(files);
        }
      }
    }
  }

  @Test
  void explainSaysTheSameAsOverFiles() throws Exception {
    try (ServedShop shop = new ServedShop(folder)) {
      for (String target : List.of("shop/web", "203.0.113.10:443", "30080", "shop/nothing")) {
        for (String format : List.of("text", "json", "yaml")) {
          String[] question = {"--node=worker-2", target, "--client=198.51.100.7", "-o", format};
          Result files = Shell.over(shop.folder, "explain", question);
          assertThat(run("explain", shop.api(), question)).as(target + format).isEqualTo(files);
        }
        String[] question = {"--node=worker-2", target, "--client=198.51.100.7"};
        String words =
            run("explain", shop.api(), question).out().replaceAll("\\s+\\([^)]*yaml:\\d+\\)", "");
        assertThat(run("explain", "--from=api:" + shop.address(), question).out())
            .as("the lines of files are not part of a cluster")
            .isEqualTo(words);
      }
    }
  }

  @Test
  void podsNodesAndModesAreExplainedAsOverFiles() throws Exception {
    try (ServedShop shop = new ServedShop(folder)) {
      for (String question :
          List.of(
              "--all-nodes shop/storefront",
              "--all-nodes shop/storefront -o json",
              "--from-pod shop/cart-6b9c4-8hjlw shop/cart",
              "--from-pod shop/nobody shop/cart",
              "--from-pod shop/cart-6b9c4-8hjlw --node worker-2 shop/cart",
              "--node worker-1 --proxy-mode iptables 10.96.0.10:54",
              "--node worker-2 --proxy-mode ipvs 203.0.113.10:443",
              "--node worker-1 http://web.shop.svc/cart")) {
        String[] words = question.split(" ");
        assertThat(run("explain", shop.api(), words))
            .as(question)
            .isEqualTo(Shell.over(shop.folder, "explain", words));
      }
    }
  }

  @Test
  void aQuestionThatMakesNoSenseIsAMistakeLikeOverFiles() throws Exception {
    try (ServedShop shop = new ServedShop(folder)) {
      for (String question :
          List.of(
              "shop//web", "10.96.20.10:80 --client=fd00::1", "shop/web --client=me", "99999")) {
        String[] words = ("--node=worker-1 " + question).split(" ");
        Result files = Shell.over(shop.folder, "explain", words);
        assertThat(files.status()).isEqualTo(2);
        assertThat(run("explain", shop.api(), words)).as(question).isEqualTo(files);
      }
    }
  }

  @Test
  void metricsTellHowFarEachNodeHasCome() throws Exception {
    try (ServedShop shop = new ServedShop(folder, "--metrics-bind-address=127.0.0.1:0")) {
      String pages = HttpPage.address(shop.log());
      assertThat(HttpPage.read(pages + "/healthz").body()).isEqualTo("ok\n");
      try (ReportingClient client = new ReportingClient(shop.address(), "worker-1", "tester")) {
        client.apply();
        shop.replace("services.yaml", "nodePort: 30080", "nodePort: 30081");
        client.fail("no room");
        assertThat(HttpPage.read(pages + "/metrics").body())
            .contains(
                "portolan_brain_synced 1\n",
                "portolan_brain_relays 0\n",
                "portolan_node_revision{node=\"worker-1\"} 2\n",
                "portolan_node_applied_revision{node=\"worker-1\"} 1\n",
                "portolan_node_clients{node=\"worker-1\"} 1\n",
                "portolan_node_clients{node=\"worker-2\"} 0\n",
                "portolan_node_failing_clients{node=\"worker-1\"} 1\n",
                "process_resident_memory_bytes ")
            .containsPattern("portolan_node_lag_seconds\\{node=\"worker-1\"} [0-9.E-]+\n");
      }
      assertThat(HttpPage.read(pages + "/other").status()).isEqualTo(404);
    }
    Result bad =
        run(
            "brain",
            "--from=file:x",
            "--listen=unix://" + folder + "/m",
            "--metrics-bind-address=x");
    assertThat(bad.status()).isEqualTo(2);
    assertThat(bad.err()).startsWith("portolan: --metrics-bind-address: 'x' is not an address");
  }

  @Test
  void oneClientTooManyIsToldWhereToLook() throws Exception {
    try (ServedShop shop = new ServedShop(folder, "--max-clients=1");
        ReportingClient first = new ReportingClient(shop.address(), "worker-1", "first")) {
      first.apply();
      Result second = run("nodes", shop.api());
      assertThat(second.status()).isEqualTo(2);
      assertThat(second.err())
          .startsWith("portolan: " + shop.address() + ": ")
          .containsAnyOf("the server closed the connection", "the connection was closed");
      shop.awaitLog("connection rejected: the limit of 1 connections is reached");
    }
  }

  @Test
  void certificatesDecideWhoSeesWhat() throws Exception {
    List<String> options = new ArrayList<>(tls("server", "authority"));
    options.addAll(List.of("--listen=tcp://127.0.0.1:0", "--certificate-nodes"));
    options.add("--administrator=overseer");
    try (ServedShop shop = new ServedShop(folder, options.toArray(String[]::new))) {
      String address = "tcp://127.0.0.1:" + shop.port();
      String api = "--api=" + address;

      Result overseer = run("nodes", api, tls("administrator", "authority"));
      assertThat(overseer.status()).as(overseer.err()).isZero();
      assertThat(run("show", "--from=api:" + address, overseerLooks()).status()).isZero();

      Result own = run("show", api, with("--node=n1", tls("node", "authority")));
      assertThat(own.status()).as(own.err()).isZero();
      assertThat(own.lines()).hasSize(13);

      Result why = run("explain", api, "shop/web", with("--node=n1", tls("node", "authority")));
      assertThat(why.status()).as(why.err()).isZero();
      assertThat(why.out()).startsWith("shop/web on node n1, mode nftables");
      assertThat(
              run("explain", api, "shop/web", with("--node=worker-1", tls("node", "authority")))
                  .err())
          .startsWith("portolan: " + address + ": the certificate of 'system:node:n1' is not");

      Result other = run("show", api, with("--node=worker-1", tls("node", "authority")));
      assertThat(other.status()).isEqualTo(2);
      assertThat(other.err())
          .startsWith(
              "portolan: "
                  + address
                  + ": the certificate of 'system:node:n1' is not allowed to watch node worker-1:"
                  + " ");
      assertThat(run("nodes", api, tls("node", "authority")).err())
          .contains("the certificate of 'system:node:n1' is not allowed to see all nodes");

      Result stranger = run("nodes", api, tls("administrator", "stranger"));
      assertThat(stranger.status()).isEqualTo(2);
      assertThat(stranger.err()).contains(address + ": the certificates do not match");

      Result plain = run("nodes", api);
      assertThat(plain.status()).isEqualTo(2);
      assertThat(plain.err()).startsWith("portolan: " + address + ": ");

      Result missing = run("nodes", api, "--tls-key=/k", "--tls-crt=/c", "--tls-ca=/a");
      assertThat(missing.status()).isEqualTo(2);
      assertThat(missing.err()).isEqualTo("portolan: /k: no such file [PORT-402]\n");
    }
  }

  private List<String> tls(String who, String authority) throws Exception {
    Certificates made = Certificates.made();
    return List.of(
        "--tls-key=" + Files.write(folder.resolve(who + ".key"), made.key(who)),
        "--tls-crt=" + Files.write(folder.resolve(who + ".crt"), made.certificate(who)),
        "--tls-ca=" + Files.write(folder.resolve(authority), made.certificate(authority)));
  }

  private List<String> overseerLooks() throws Exception {
    return with("--node=worker-1", tls("administrator", "authority"));
  }

  private static List<String> with(String first, List<String> others) {
    List<String> all = new ArrayList<>(others);
    all.addFirst(first);
    return all;
  }

  private static Result run(String command, String api, String first, List<String> others) {
    return run(command, api, with(first, others));
  }

  private static Result run(String command, String api, List<String> others) {
    return run(command, api, others.toArray(String[]::new));
  }

  private static Result run(String command, String api, String... others) {
    List<String> line = new ArrayList<>(List.of(command, api));
    line.addAll(List.of(others));
    return Shell.run(line.toArray(String[]::new));
  }
}
