package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code brain}, and the commands that ask one. */
final class BrainTest {
  @TempDir private Path folder;

  @Test
  void itSaysWhatItDoesAndEndsInGoodOrder() throws Exception {
    try (ServedShop shop = new ServedShop(folder)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(shop.socket)))
          .isEqualTo("rw-rw----");
      assertThat(Shell.run("show", shop.api(), "--node=worker-1").status()).isZero();
      shop.awaitLog("has left");
      assertThat(shop.stop()).isZero();
      assertThat(shop.log())
          .isEqualTo(
              """
              listening on %s
              reading file:%s
              synced: 9 services, 10 slices and 3 nodes from file:%s
              portolan show of node worker-1 at unix socket has come
              portolan show of node worker-1 at unix socket has left
              stopped
              """
                  .formatted(shop.address(), shop.folder, shop.folder));
      assertThat(shop.socket).doesNotExist();
    }
  }

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
  void withoutANodeTheServersDefaultCounts() throws Exception {
    try (ServedShop shop = new ServedShop(folder, "--default-node=worker-2")) {
      assertThat(run("show", shop.api()))
          .isEqualTo(run("show", shop.api(), "--node=worker-2"))
          .satisfies(result -> assertThat(result.status()).isZero());
      assertThat(run("explain", shop.api(), "shop/web"))
          .isEqualTo(run("explain", shop.api(), "shop/web", "--node=worker-2"));
      try (Background watch = new Background("watch", shop.api())) {
        watch.await(watch.out, "shop/web:http");
      }
    }
  }

  @Test
  void aServerOfManyNodesWantsOneNamed() throws Exception {
    try (ServedShop shop = new ServedShop(folder)) {
      String sentence =
          "the request names no node, and this server answers for many; name one (--node)";
      for (String command : List.of("show", "watch", "show --follow", "explain shop/web")) {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.add(shop.api());
        Result result = Shell.run(words.toArray(String[]::new));
        assertThat(result.status()).as(command).isEqualTo(2);
        assertThat(result.err()).startsWith("portolan: ").contains(sentence);
      }
    }
  }

  @Test
  void theSettingsAreTheBrains() throws Exception {
    try (ServedShop shop =
        new ServedShop(folder, "--nodeport-addresses=all", "--cluster-cidr=10.244.0.0/16")) {
      assertThat(run("show", shop.api(), "node", "--node=worker-1").out())
          .contains("nodePorts served on  IPv4 all, IPv6 all")
          .contains("pods recognized by   IPv4 source 10.244.0.0/16, IPv6 none");
      assertThat(
              run("explain", shop.api(), "30080", "--node=worker-1", "--client=10.244.7.7").out())
          .contains("10.244.7.7 is a pod of this node");

      Result told = run("show", shop.api(), "--node=worker-1", "--masquerade-all");
      assertThat(told.status()).isEqualTo(2);
      assertThat(told.err())
          .startsWith(
              "portolan: --masquerade-all: with --api, the brain's settings apply; remove it\n");
    }
  }

  @Test
  void aNodeThatNobodyKnowsIsMissingFromBrainAndSourceAlike() throws Exception {
    try (ServedShop shop = new ServedShop(folder)) {
      String known = "; it has: worker-1, worker-2, worker-3";
      Result source = run("show", "--from=file:" + shop.folder, "--node=worker-9");
      assertThat(source.status()).isEqualTo(1);
      assertThat(source.err())
          .startsWith("portolan: no Node 'worker-9' in file:" + shop.folder + known);
      Result result = run("show", shop.api(), "node", "--node=worker-9");
      assertThat(result.status()).isEqualTo(1);
      assertThat(result.out()).isEmpty();
      assertThat(result.err())
          .contains("portolan: no Node 'worker-9' in the cluster of " + shop.address() + known);

      Result explained = run("explain", shop.api(), "shop/web", "--node=worker-9");
      assertThat(explained.status()).isEqualTo(1);
      assertThat(explained.err()).contains("portolan: no Node 'worker-9' in the cluster of ");
    }
  }

  @Test
  void aClusterWithoutNodesIsShownForAnyName() throws Exception {
    try (ServedShop shop = new ServedShop(folder)) {
      Files.delete(shop.folder.resolve("nodes.yaml"));
      shop.stop();
      shop.start();
      Result result = run("show", shop.api(), "--node=worker-9");
      assertThat(result.status()).isZero();
      assertThat(result.err())
          .isEqualTo(
              "warning: the cluster of "
                  + shop.address()
                  + " has no Node 'worker-9', so only its name is known\n");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          show --node=a --api=unix:///x --from=file:y | --api and --from are mutually exclusive: a brain has already read its cluster; use only one
          explain --node=a --api=unix:///x --from=file:y t/t | --api and --from are mutually exclusive: a brain has already read its cluster; use only one
          show --api=x --node=a | --api: 'x' is not a valid address: write unix:///path, tcp://host:port or host:port
          nodes --api=inprocess:x | --api: 'inprocess:x' only works inside one process; write unix:///path or tcp://host:port
          nodes --api=tcp://:80 | 'tcp://:80' has no host; write tcp://host:port
          watch --node=a --api=tcp://h:0 | 'tcp://h:0' has no port; write tcp://host:port
          watch --node=a --tls-key=k | --tls-key, --tls-crt and --tls-ca must be used together; set all three, or none
          nodes --tls-key=k --tls-crt=c --tls-ca=a --api=unix:///x | --tls-key, --tls-crt and --tls-ca are for tcp:// addresses; remove them for unix:///x
          show --from=file:x --tls-key=k --tls-crt=c --tls-ca=a | --tls-key, --tls-crt and --tls-ca are for tcp:// addresses; remove them for file:x
          nodes -o=text | -o: 'text' is not allowed; write table, wide, name, yaml, json, jsonpath=… or custom-columns=…
          watch --node=a -o=yaml | -o: 'yaml' is not allowed; write text or json
          show --from=api:x --node=a | --from: 'x' is not a valid address: write unix:///path, tcp://host:port or host:port
          brain | --from is required; write file:PATH for a manifest file or folder, file:- for standard input, kube for the cluster that kubectl uses, kube:KUBECONFIG, api:ADDRESS for the cluster of a brain, or record:PATH[@TIME] for a recording
          brain --from=file:x --listen=y | --listen: 'y' is not a valid address: write unix:///path, tcp://host:port or host:port
          brain --from=file:x --listen=tcp://0.0.0.0:1 | --listen tcp://0.0.0.0:1: a port needs --tls-key, --tls-crt and --tls-ca; for tests on this machine use --insecure-loopback
          brain --from=file:x --listen=tcp://0.0.0.0:1 --insecure-loopback | --listen tcp://0.0.0.0:1: a port needs --tls-key, --tls-crt and --tls-ca; --insecure-loopback is for 127.0.0.1 and [::1]
          brain --from=file:x --tls-key=k --tls-crt=c --tls-ca=a | --tls-key, --tls-crt and --tls-ca are for tcp:// addresses, but there is none; remove them
          brain --from=file:x --administrator=a | --administrator needs --certificate-nodes; add it
          brain --from=file:x --certificate-nodes | --certificate-nodes needs a tcp:// listener with certificates; add one with --listen
          brain --from=file:x --allow-uid=root | --allow-uid: 'root' is not a number from 0 on
          brain --from=file:x --max-clients=0 | --max-clients: '0' is not a number from 1 on
          brain --from=file:x --max-nodes=many | --max-nodes: 'many' is not a number from 1 on
          brain --from=file:x --slow-client-timeout=-1 | --slow-client-timeout: '-1' is not a number from 1 on
          brain --from=file:x --nodeport-addresses=eth0 | --nodeport-addresses: 'eth0' must be a CIDR such as 192.168.0.0/16, or primary, localhost or all
          """)
  void aMistakeIsASentence(String line, String sentence) {
    Result result = Shell.run(line.split(" "));
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines()).first().isEqualTo("portolan: " + sentence);
    assertThat(result.err()).endsWith(" --help' for usage.\n");
  }

  @Test
  void nobodyThereIsASentence() {
    String nowhere = "unix://" + folder.resolve("none.sock");
    String sentence =
        "portolan: " + nowhere + ": no such socket; is 'portolan brain' running? [PORT-403]\n";
    for (String command :
        List.of(
            "show --node=worker-1 --api=" + nowhere,
            "show --node=worker-1 --follow --api=" + nowhere,
            "show --node=worker-1 --from=api:" + nowhere,
            "explain --node=worker-1 shop/web --api=" + nowhere,
            "watch --node=worker-1 --api=" + nowhere,
            "watch --node=worker-1 -o=json --api=" + nowhere,
            "nodes --watch --api=" + nowhere,
            "nodes --api=" + nowhere)) {
      Result result = Shell.run(command.split(" "));
      assertThat(result.status()).as(command).isEqualTo(2);
      assertThat(result.out()).isEmpty();
      assertThat(result.err()).as(command).isEqualTo(sentence);
    }
  }

  @Test
  void aPlaceThatIsTakenIsASentence() throws Exception {
    try (ServedShop shop = new ServedShop(folder)) {
      Result second = run("brain", "--from=file:" + shop.folder, "--listen=" + shop.address());
      assertThat(second.status()).isEqualTo(1);
      assertThat(second.err())
          .isEqualTo(
              "portolan: "
                  + shop.address()
                  + ": in use by another program; stop it or choose another path [PORT-401]\n");
      assertThat(run("nodes", shop.api()).status()).isZero();
    }
    Path file = Files.writeString(folder.resolve("file"), "mine");
    Result onFile = run("brain", "--from=file:" + Shell.SHOP, "--listen=unix://" + file);
    assertThat(onFile.status()).isEqualTo(1);
    assertThat(onFile.err()).contains("the file exists and is not a socket");
    assertThat(file).hasContent("mine");
    Result inFile = run("brain", "--from=file:" + Shell.SHOP, "--listen=unix://" + file + "/s");
    assertThat(inFile.err())
        .isEqualTo(
            "portolan: unix://%s/s: %s is not a folder; choose another path [PORT-401]\n"
                .formatted(file, file));
  }

  @Test
  void whatCannotBeReadAtTheStartIsSaid() throws IOException {
    Shell.write(folder, "broken.yaml", "kind: [");
    Path socket = folder.resolve("b.sock");
    Result result = run("brain", "--from=file:" + folder, "--listen=unix://" + socket);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("portolan: ").contains("broken.yaml:1");
    assertThat(socket).doesNotExist();
  }

  @Test
  void whatCannotBeReadLaterIsAWarning() throws Exception {
    try (ServedShop shop = new ServedShop(folder)) {
      Shell.write(shop.folder, "broken.yaml", "kind: [");
      shop.awaitLog("warning: ");
      assertThat(shop.log()).contains("broken.yaml:1", "the last good state stays");
      assertThat(run("show", shop.api(), "--node=worker-1").lines()).hasSize(13);
    }
  }

  @Test
  void aBrainOfAnotherProxyServesWhatIsLabelledForIt() throws Exception {
    try (ServedShop shop = new ServedShop(folder, "--service-proxy-name=mesh")) {
      assertThat(run("show", shop.api(), "--node=worker-1", "-o", "json").out())
          .doesNotContain("\"storefront\"");
      assertThat(run("explain", shop.api(), "--node=worker-1", "shop/web").out())
          .containsPattern("it has no label\\s+service.kubernetes.io/service-proxy-name=mesh");
      shop.replace(
          "services.yaml",
          "metadata: {namespace: shop, name: storefront}",
          "metadata: {namespace: shop, name: storefront, labels:"
              + " {service.kubernetes.io/service-proxy-name: mesh}}");
      shop.awaitShown("shop/storefront");
    }
    Result bad = run("brain", "--from=file:x", "--service-proxy-name=a b");
    assertThat(bad.status()).isEqualTo(2);
    assertThat(bad.err()).startsWith("portolan: --service-proxy-name: 'a b' is not a valid label");
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
