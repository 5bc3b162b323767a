package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a process of its own, a link or the width of the help is needed for; the rest are sessions.
 */
final class KubeProxyTest {
  @TempDir private Path folder;

  private static Result run(String... flags) {
    return Shell.run(withName(flags));
  }

  private Result real(String... flags) throws Exception {
    return RealProgram.run(folder, "", withName(flags));
  }

  private static String[] withName(String... flags) {
    return Stream.concat(Stream.of("kube-proxy"), Stream.of(flags)).toArray(String[]::new);
  }

  @Test
  void helpIsTheGoldenFile() throws IOException {
    Result help = run("--help");
    assertThat(help.status()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    try (InputStream golden = getClass().getResourceAsStream("/kube-proxy-help.txt")) {
      byte[] bytes = Objects.requireNonNull(golden).readAllBytes();
      assertThat(help.out()).isEqualTo(new String(bytes, StandardCharsets.UTF_8));
    }
    assertThat(run("-h")).isEqualTo(help);
  }

  @Test
  void aWrongCommandLineEndsWithOne() throws Exception {
    Result result = real("--proxi_mode=nftables", "extra");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .isEqualTo(
            """
            error: unknown flag: --proxi-mode; did you mean --proxy-mode?
            error: "kube-proxy" does not take any arguments, got ["extra"]
            portolan: kube-proxy cannot start: 2 errors [PORT-101]
            """);
  }

  @ParameterizedTest
  @CsvSource({"1.34, false", "1.37, true", "1.43, true"})
  void helpSaysHowFarIpvsIsOnItsWayOut(String release, boolean said) {
    String help = run("--help", "--emulated-version=" + release).out().replaceAll("\\s+", " ");
    assertThat(help.contains("Deprecated with mode ipvs.")).isEqualTo(said);
    assertThat(help.contains("Mode ipvs was removed")).isEqualTo(release.equals("1.43"));
  }

  @Test
  void aLinkToTheWrittenFileStaysALink() throws Exception {
    Path target = Files.writeString(folder.resolve("target"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target.getFileName());
    Result result =
        run("--proxy-mode=nftables", "--cluster-cidr=10.0.0.0/8", "--write-config-to=" + link);
    assertThat(result).isEqualTo(new Result(0, "", ""));
    assertThat(link).isSymbolicLink();
    assertThat(target).content().startsWith("apiVersion: ");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(2);
    }
  }
}
