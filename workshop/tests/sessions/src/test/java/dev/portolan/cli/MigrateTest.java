package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.terminal.Terminal;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testbase.RepositoryRoot;
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
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every item, what hosts and terminals are needed for, and the examples of the help; the rest are
 * sessions.
 */
final class MigrateTest {
  private static final Path DATA =
      RepositoryRoot.resolve("workshop/tests/sessions/src/test/resources/migrate");
  private static final String HEAD =
      "apiVersion: kubeproxy.config.k8s.io/v1alpha%s\nkind: KubeProxyConfiguration\n";
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
        Files.readAllLines(
                RepositoryRoot.resolve(
                    "tools/cli/src/main/resources/dev/portolan/migration/items.txt"))
            .stream()
            .filter(line -> line.startsWith("=== ") && !line.startsWith("=== this-node"))
            .map(line -> line.replaceFirst("=== (.*) \\| check", "! $1"))
            .map(line -> line.replaceFirst("=== (.*) \\| info", "$1"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(told).isEqualTo(known);
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
  @NeedsKernel
  void thisHostIsLookedAtWhereAskedFor() {
    Result result = Shell.run("migrate", "--here");
    assertThat(result.out())
        .containsPattern("this-node-(ready|not-ready|unread)")
        .doesNotContain("{kernel}");
    assertThat(Shell.run("migrate").out()).doesNotContain("this-node");
  }

  @Test
  @NeedsKernel(tools = "mount")
  void aFullDiskLeavesNothingBehind() throws Exception {
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
