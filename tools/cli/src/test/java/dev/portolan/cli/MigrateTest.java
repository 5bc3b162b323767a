package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import dev.portolan.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class MigrateTest {
  private static final Path DATA = Path.of("src/test/resources/migrate");
  private static final String HEAD =
      "apiVersion: kubeproxy.config.k8s.io/v1alpha%s\nkind: KubeProxyConfiguration\n";
  private static final String IPVS = Shell.EXAMPLES.resolve("kube-proxy/ipvs.yaml").toString();
  private static final String SHOP = "file:" + Shell.SHOP;

  @TempDir private Path folder;

  /** A configuration and a cluster, and the status and items that they lead to. */
  record Case(String name, String config, String cluster, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> cases() throws IOException {
    List<Case> cases = new ArrayList<>();
    String text = Files.readString(DATA.resolve("cases.txt"));
    for (String block : text.split("(?m)^=== ", -1)) {
      if (!block.startsWith("#")) {
        String[] parts = block.split("(?m)^---8<---\n", -1);
        String[] head = parts[0].split("\n", 2);
        cases.add(new Case(head[0], head[1], parts[1], parts[2]));
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void saysWhatHolds(Case given) throws IOException {
    Result result = run(given);

    assertThat(result.err()).isEmpty();
    assertThat(result.status() + "\n" + items(result)).isEqualTo(given.expected);
  }

  @Test
  void everyItemHasACase() throws IOException {
    TreeSet<String> told = new TreeSet<>();
    for (Case given : cases()) {
      given.expected.lines().skip(1).forEach(line -> told.add(line.replaceFirst(":.*", "")));
    }
    TreeSet<String> known =
        Files.readAllLines(Path.of("../cli/src/main/resources/dev/portolan/migration/items.txt"))
            .stream()
            .filter(line -> line.startsWith("=== ") && !line.startsWith("=== this-node"))
            .map(line -> line.replaceFirst("=== (.*) \\| check", "! $1"))
            .map(line -> line.replaceFirst("=== (.*) \\| info", "$1"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(told).isEqualTo(known);
  }

  @Test
  void theReportOfARealClusterReadsAsItShould() throws IOException {
    Result result = Shell.run("migrate", "--config", IPVS, "--from", SHOP);

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isEqualTo(Files.readString(DATA.resolve("shop.txt")));
    assertThat(result.lines().stream().takeWhile(line -> !line.startsWith("THE NEW")))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void programsGetATree() {
    Result result = Shell.run("migrate", "--config", IPVS, "--from", SHOP, "-o", "json");

    assertThat(result.status()).isEqualTo(1);
    Map<String, Object> tree = result.tree();
    assertThat(tree)
        .containsOnlyKeys(
            "apiVersion",
            "kind",
            "from",
            "to",
            "needsPerson",
            "items",
            "configVersion",
            "configuration")
        .containsEntry("kind", "Migration")
        .containsEntry("from", "ipvs")
        .containsEntry("to", "nftables")
        .containsEntry("needsPerson", true);
    assertThat(Shell.list(tree.get("items")))
        .allSatisfy(item -> {
          assertThat(item).containsOnlyKeys("id", "severity", "today", "after", "do", "services");
          assertThat(item.toString()).doesNotContain("{}").doesNotContainPattern("\\{[a-zA-Z]+\\}");
        });
    assertThat(Shell.tree((String) tree.get("configuration"))).containsEntry("mode", "nftables");
  }

  @Test
  void coloursAreForTerminals() {
    StringWriter out = new StringWriter();
    int _ =
        CommandRun.run(
            new String[] {"migrate"},
            Terminal.coloured(new PrintWriter(out), new PrintWriter(new StringWriter())));

    assertThat(out.toString())
        .contains("\u001b[33mNEEDS A PERSON\u001b[0m", "\u001b[1mfirewall\u001b[0m");
    assertThat(out.toString().replaceAll("\u001b\\[[0-9]+m", ""))
        .isEqualTo(Shell.run("migrate").out());
  }

  @Test
  void whatHoldsTodayGoesOn() throws IOException {
    Result result =
        run(
            new Case(
                "",
                """
                A1:
                mode: ipvs
                clusterCIDR: 10.244.0.0/16
                featureGates: {KubeProxyIPVS: true}
                iptables: {masqueradeBit: 20, masqueradeAll: true}
                ipvs: {scheduler: mh, syncPeriod: 1m, minSyncPeriod: 2s}
                """,
                "none\n",
                ""));

    assertThat(Shell.tree((String) result.tree().get("configuration")))
        .isEqualTo(
            Shell.tree(
                HEAD.formatted(2)
                    + """
                    mode: nftables
                    bindAddressHardFail: false
                    configHardFail: false
                    detectLocal: {clusterCIDRs: [10.244.0.0/16]}
                    linux: {masqueradeAll: true}
                    nftables: {masqueradeBit: 20}
                    syncPeriod: 1m0s
                    minSyncPeriod: 2s
                    nodePortAddresses: [all]
                    """));
  }

  @Test
  void writesANewFileAndNeverOverAnOldOne() throws IOException {
    String target = folder.resolve("new.yaml").toString();

    Result first = Shell.run("migrate", "--config", IPVS, "--write", target);
    assertThat(first.status()).isEqualTo(1);
    assertThat(first.out())
        .contains("\nThe new configuration is in " + target + ".\nIt is of v1alpha2, which");
    String written = Files.readString(Path.of(target));
    assertThat(Shell.run("migrate", "--config", IPVS).out()).endsWith("\n\n" + written);
    assertThat(Shell.run("config", "validate", target).status()).isZero();
    assertThat(Shell.run("migrate", "--config", target).status()).isZero();

    Result second = Shell.run("migrate", "--write", target);
    assertThat(second.status()).isEqualTo(2);
    assertThat(second.out()).isEmpty();
    assertThat(second.err())
        .isEqualTo(
            "portolan: --write: "
                + target
                + ": already exists and is not overwritten; choose another file, or remove it"
                + " [PORT-104]\n");
    assertThat(Files.readString(Path.of(target))).isEqualTo(written);

    Result nowhere = Shell.run("migrate", "--write", folder.resolve("no/new.yaml").toString());
    assertThat(nowhere.status()).isEqualTo(2);
    assertThat(nowhere.err()).contains("the folder does not exist; create it first");
  }

  @Test
  void kubeProxyItselfGetsAFileThatItReads() throws IOException {
    Result report = Shell.run("migrate", "--config", IPVS, "--config-version", "v1alpha1");
    assertThat(report.err())
        .startsWith("warning: minSyncPeriod: 0s is lost: nftables.minSyncPeriod of v1alpha1");
    assertThat(report.out())
        .contains("It is of v1alpha1, which kube-proxy and Portolan read.\n\n" + HEAD.formatted(1))
        .contains("\nclusterCIDR: \"10.244.0.0/16,fd00:10:244::/56\"\n");
    assertThat(Shell.run("migrate").out().replaceAll("\\s+", " "))
        .contains("kube-proxy does not. For kube-proxy itself, add --config-version v1alpha1.");
  }

  @Test
  void excludedRangesGoOnToBeSpared() throws IOException {
    Path file = folder.resolve("c.yaml");
    Files.writeString(
        file,
        HEAD.formatted(1) + "mode: ipvs\nipvs: {excludeCIDRs: [10.9.0.0/16], strictARP: true}\n");
    Result result = Shell.run("migrate", "--config", file.toString(), "-o", "json");
    assertThat((String) result.tree().get("configuration"))
        .contains("\n  excludeCIDRs:\n  - \"10.9.0.0/16\"\n")
        .doesNotContain("strictARP");
  }

  @Test
  void thisHostIsLookedAtWhereAskedFor() {
    KernelNeeds.check();
    Result result = Shell.run("migrate", "--here");
    assertThat(result.out())
        .containsPattern("this-node-(ready|not-ready|unread)")
        .doesNotContain("{kernel}");
    assertThat(Shell.run("migrate").out()).doesNotContain("this-node");
  }

  @Test
  void aFullDiskLeavesNothingBehind() throws Exception {
    KernelNeeds.check();
    Path disk = Files.createDirectory(folder.resolve("disk"));
    String target = disk.resolve("new.yaml").toString();
    mount("mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", disk.toString());
    try {
      Files.write(disk.resolve("full"), new byte[4096]);
      Result full = Shell.run("migrate", "--write", target);
      assertThat(full.status()).isEqualTo(2);
      assertThat(full.err()).startsWith("portolan: --write: " + target + ": cannot be written (");
      try (Stream<Path> files = Files.list(disk)) {
        assertThat(files).containsExactly(disk.resolve("full"));
      }
      Files.delete(disk.resolve("full"));
      assertThat(Shell.run("migrate", "--write", target).err()).isEmpty();
      assertThat(Path.of(target)).content().contains("mode: nftables");
    } finally {
      mount("umount", disk.toString());
    }
  }

  private static void mount(String... words) throws Exception {
    assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
  }

  @Test
  void theReleaseSaysWhatAnUnsetModeMeans() {
    Result result = Shell.run("migrate", "--emulated-version", "1.40", "-o", "json");

    assertThat(result.status()).isZero();
    assertThat(items(result)).isEqualTo("already-nftables\n");
  }

  @Test
  void aGateThatForbidsIpvsDoesNotForbidToLeaveIt() throws IOException {
    Files.writeString(
        folder.resolve("c.yaml"),
        HEAD.formatted(1) + "mode: ipvs\nfeatureGates: {KubeProxyIPVS: false}\n");

    Result result = Shell.run("migrate", "--config", folder.resolve("c.yaml").toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).contains("ipvs-gate").doesNotContain("KubeProxyIPVS:");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          kind: Pod | cannot be read as a configuration
          mode: kernelspace | the mode is 'kernelspace'; only ipvs, iptables and nftables can be migrated
          oomScoreAdj: 2000 | not valid; fix the errors first
          iptables: {masqueradeBit: 40} | not valid; fix the errors first
          """)
  void whatIsWrongIsSaid(String line, String message) throws IOException {
    String text = line.startsWith("kind") ? line : HEAD.formatted(1) + line;
    Path file = folder.resolve("c.yaml");
    Files.writeString(file, text + "\n");

    Result result =
        Shell.run(
            "migrate",
            "--config",
            file.toString(),
            "--write",
            folder.resolve("never.yaml").toString());
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("portolan: " + file + ": " + message);
    assertThat(folder.resolve("never.yaml")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --config /no/such/file | no such file
          --from file:/no/such/folder | /no/such/folder
          --from kube:/no/such/file | /no/such/file
          --from kube: | --from: 'kube:' has no kubeconfig file
          --to ipvs | --to: 'ipvs' is not allowed; write nftables or iptables
          --config-version v2 | --config-version: 'v2' is not allowed; write v1alpha1 or v1alpha2
          -o yaml | -o: 'yaml' is not allowed; write text or json
          --emulated-version soon | --emulated-version: 'soon' is not a release that can be emulated
          """)
  void mistakesAreSentences(String options, String message) {
    Result result = Shell.run(("migrate " + options).split(" "));

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("portolan: ").contains(message);
  }

  @Test
  void theExamplesOfItsHelpWork() {
    List<String> examples =
        Shell.run("migrate", "--help").lines().stream()
            .filter(line -> line.startsWith("  portolan "))
            .toList();

    assertThat(examples).hasSize(4);
    for (String example : examples) {
      String command = example.strip().replace("examples/", Shell.EXAMPLES + "/");
      Result result = Shell.run(command.substring("portolan ".length()).split(" "));
      assertThat(result.status()).as(example).isEqualTo(1);
      assertThat(result.err()).as(example).isEmpty();
    }
  }

  private Result run(Case given) throws IOException {
    List<String> args = new ArrayList<>(List.of("migrate", "-o", "json"));
    String config = given.config.replaceFirst("^to iptables\n", "");
    if (!config.equals(given.config)) {
      args.addAll(List.of("--to", "iptables"));
    }
    if (!config.equals("none\n")) {
      Path file = folder.resolve("config.yaml");
      String text = config.replace("A1:\n", HEAD.formatted(1)).replace("A2:\n", HEAD.formatted(2));
      Files.writeString(file, text);
      args.addAll(List.of("--config", file.toString()));
    }
    if (given.cluster.equals("shop\n")) {
      args.addAll(List.of("--from", SHOP));
    } else if (!given.cluster.equals("none\n")) {
      Files.writeString(folder.resolve("cluster.yaml"), given.cluster);
      args.addAll(List.of("--from", "file:" + folder.resolve("cluster.yaml")));
    }
    return Shell.run(args.toArray(String[]::new));
  }

  /** A line an item, as in the data file. */
  private static String items(Result result) {
    StringBuilder lines = new StringBuilder();
    for (Map<String, Object> item : Shell.list(result.tree().get("items"))) {
      lines.append(item.get("severity").equals("check") ? "! " : "").append(item.get("id"));
      List<Map<String, Object>> services = Shell.list(item.get("services"));
      lines.append(services.isEmpty() ? "" : ": ");
      lines.append(
          services.stream()
              .map(service -> service.get("service") + " (" + service.get("why") + ")")
              .collect(Collectors.joining(", ")));
      lines.append('\n');
    }
    return lines.toString();
  }
}
