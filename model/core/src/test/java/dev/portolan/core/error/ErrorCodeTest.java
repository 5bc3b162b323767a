package dev.portolan.core.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.backend.BackendException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ErrorCodeTest {
  private static final Pattern ROW = Pattern.compile("^\\| (PORT-\\d+) \\| \\S", Pattern.MULTILINE);

  @Test
  void everyCodeIsDocumentedAndNoOther() throws IOException {
    String docs = Files.readString(Path.of("../../docs/errors.md"));
    List<String> documented = ROW.matcher(docs).results().map(row -> row.group(1)).toList();
    assertThat(documented)
        .isEqualTo(Arrays.stream(ErrorCode.values()).map(ErrorCode::toString).toList());
  }

  @Test
  void theOutermostCodeCounts() {
    BackendException inner = new BackendException(ErrorCode.PRIVILEGES, "not permitted");
    assertThat(ErrorCode.of(new IllegalStateException(inner))).isEqualTo(ErrorCode.PRIVILEGES);
    assertThat(ErrorCode.of(new BackendException("failed", inner))).isEqualTo(ErrorCode.BACKEND);
    assertThat(ErrorCode.of(new IllegalStateException())).isEqualTo(ErrorCode.INTERNAL);
    assertThat(ErrorCode.of(new UncheckedIOException(new IOException("Too many open files"))))
        .isEqualTo(ErrorCode.DESCRIPTORS);
  }

  @Test
  void aSentenceEndsWithItsCode() {
    assertThat(ErrorCode.PRIVILEGES.mark("not permitted")).isEqualTo("not permitted [PORT-301]");
  }
}
