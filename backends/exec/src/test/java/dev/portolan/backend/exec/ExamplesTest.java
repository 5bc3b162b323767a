package dev.portolan.backend.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.backend.exec.ExecOptions.Mode;
import dev.portolan.sync.Keeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs under examples/exec do what they say, and the lines in docs/exec.md are real. */
@Timeout(120)
final class ExamplesTest {
  private static final Path PRINT = Shop.EXAMPLES.resolve("exec/print.py");
  private static final Path HOSTS = Shop.EXAMPLES.resolve("exec/hosts.sh");
  private static final Path DOCUMENT = Shop.EXAMPLES.resolveSibling("docs/exec.md");

  private final Shop shop = new Shop();
  private final Scripts scripts;

  ExamplesTest(@TempDir Path folder) {
    scripts = new Scripts(folder);
  }

  private ExecOptions options(String... command) {
    return ExecOptions.of(List.of(command)).withLog(scripts.log::add);
  }

  @Test
  void printPrintsWhatChanges() {
    List<String> first;
    List<String> second;
    try (ExecBackend backend = new ExecBackend(options(PRINT.toString()).with(Mode.INCREMENTAL))) {
      Keeper keeper = shop.keeper(backend);
      keeper.once();
      first = printed();
      shop.remove("shop", "web");
      shop.removeSlice("shop", "cart-x4t8n");
      keeper.once();
      second = printed();
      backend.cleanup();
    }
    assertThat(first)
        .hasSize(12)
        .allMatch(line -> line.startsWith("+ "))
        .contains(
            "+ shop/cart:grpc               10.96.20.6:9090/TCP -> 10.244.1.21 port 9090"
                + " 10.244.2.21 port 9090",
            "+ shop/payments:https          10.96.20.8:443/TCP -> reject",
            "+ shop/web:http                [fd00:10:96::a]:80/TCP -> fd00:10:244:1::51 port 8080"
                + " fd00:10:244:2::51 port 8080");
    assertThat(second)
        .containsExactly(
            "~ shop/cart:grpc               10.96.20.6:9090/TCP -> reject",
            "- shop/web:http                10.96.20.10:80/TCP",
            "- shop/web:http                [fd00:10:96::a]:80/TCP");
  }

  /** What was printed since the last call, without the program's name. */
  private List<String> printed() {
    List<String> lines = new ArrayList<>(scripts.log);
    scripts.log.clear();
    lines.replaceAll(line -> line.substring(line.indexOf(": ") + 2));
    return lines;
  }

  @Test
  void hostsWritesTheFileWithJqAndWithout() throws IOException {
    Path withJq = scripts.path("with");
    Path without = scripts.path("without");
    try (ExecBackend backend = new ExecBackend(options(HOSTS.toString(), withJq.toString()));
        ExecBackend plain = new ExecBackend(withoutJq(without))) {
      Keeper keeper = shop.keeper(plain);
      keeper.once();
      assertThat(Files.readAllLines(without))
          .hasSize(10)
          .contains(
              "10.96.0.1\tkubernetes.default.svc",
              "10.96.20.10\tweb.shop.svc",
              "fd00:10:96::a\tweb.shop.svc");
      shop.remove("shop", "web");
      keeper.once();
      assertThat(Files.readAllLines(without)).hasSize(8).noneMatch(line -> line.contains("web"));

      shop.keeper(backend).once();
      assertThat(withJq).hasSameTextualContentAs(without);
      backend.cleanup();
      assertThat(withJq).doesNotExist();
    }
    assertThat(without).exists();
    assertThat(scripts.log).isEmpty();
  }

  /** Runs it where jq cannot be found, whether this machine has one or not. */
  private ExecOptions withoutJq(Path hosts) throws IOException {
    Path programs = Files.createDirectory(scripts.path("bin"));
    for (String program : List.of("awk", "sort", "mv", "rm", "mktemp")) {
      Path file = programs.resolve(program);
      Files.writeString(file, "#!/bin/sh\nexec " + which(program) + " \"$@\"\n");
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
    return options("env", "PATH=" + programs, which("sh").toString(), HOSTS + "", hosts + "");
  }

  private static Path which(String program) {
    for (String folder : System.getenv("PATH").split(":", -1)) {
      Path path = Path.of(folder, program);
      if (Files.isExecutable(path)) {
        return path;
      }
    }
    throw new AssertionError(program + " is not on this machine");
  }

  @Test
  void hostsSaysWhatItCannotDo() {
    try (ExecBackend backend = new ExecBackend(options(HOSTS.toString(), "/no/such/folder/x"))) {
      assertThatThrownBy(() -> shop.keeper(backend).once())
          .hasMessageEndingWith("failed to apply revision 1: the file cannot be written");
    }
  }

  @Test
  void examplesAreShort() throws IOException {
    for (Path example : List.of(PRINT, HOSTS)) {
      assertThat(Files.readAllLines(example)).hasSizeLessThan(60);
      assertThat(example).isExecutable();
    }
  }

  /** Every line of JSON in the document was sent or understood, for the cluster that it names. */
  @Test
  void theDocumentShowsRealLines() throws IOException {
    try (ExecBackend backend =
        new ExecBackend(scripts.sh(Scripts.OBEDIENT).with(Mode.INCREMENTAL))) {
      Keeper keeper = shop.keeper(backend);
      keeper.once();
      shop.remove("shop", "web");
      shop.removeSlice("shop", "cart-x4t8n");
      keeper.once();
      backend.cleanup();
    }
    List<String> real = new ArrayList<>(scripts.lines("got"));
    ChangeLines.services(new Shop().image(), ExecOptions.Format.KPNG).forEach(real::add);

    List<String> shown =
        Files.readAllLines(DOCUMENT).stream().filter(line -> line.startsWith("{")).toList();
    assertThat(shown).hasSizeGreaterThan(8);
    for (String line : shown) {
      assertThat(real.contains(line) || Answer.parse(line).isPresent()).as(line).isTrue();
    }
  }
}
