package dev.portolan.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The exact messages about an invalid kubeconfig.
 *
 * <p>A file in {@code kubeconfig/} begins with {@code # expect: LINE:COLUMN: SENTENCE}, or {@code #
 * expect-file: SENTENCE} for one without a line; before it may be {@code # context: NAME}.
 */
class KubeconfigMessagesTest {
  @ParameterizedTest
  @MethodSource("files")
  void a_bad_kubeconfig_is_told(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    Optional<String> context = value(lines, "# context: ");
    String expected =
        value(lines, "# expect: ")
            .map(sentence -> file + ":" + sentence)
            .or(() -> value(lines, "# expect-file: ").map(sentence -> file + ": " + sentence))
            .orElseThrow()
            .replace("FOLDER", file.getParent().toString());
    assertThatThrownBy(() -> Kubeconfig.read(file, context))
        .isInstanceOf(ApiException.class)
        .hasMessage("%s", expected);
  }

  static Stream<Path> files() throws IOException, URISyntaxException {
    URL folder = Objects.requireNonNull(KubeconfigMessagesTest.class.getResource("/kubeconfig"));
    try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
      List<Path> all = files.sorted().toList();
      assertThat(all).hasSizeGreaterThan(30);
      return all.stream();
    }
  }

  private static Optional<String> value(List<String> lines, String key) {
    return lines.stream()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(key.length()))
        .findFirst();
  }

  @Test
  void a_missing_file_is_told() {
    assertThatThrownBy(() -> Kubeconfig.read(Path.of("/no/such/config"), Optional.empty()))
        .isInstanceOf(ApiException.class)
        .hasMessage("/no/such/config: no such file; give the path of a kubeconfig file");
  }

  @Test
  void a_folder_is_no_kubeconfig() {
    assertThatThrownBy(() -> Kubeconfig.read(Path.of("/"), Optional.empty()))
        .isInstanceOf(ApiException.class)
        .hasMessage("/: cannot be read: it is a folder; give the path of a kubeconfig file");
  }
}
