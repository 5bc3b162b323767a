package dev.portolan.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ThirdPartyTest {
  private static final Project PROJECT =
      new Project(Path.of("..", "..").toAbsolutePath().normalize());

  private static String text(String... jars) throws IOException {
    return ThirdParty.text(PROJECT, Stream.of(jars).map(Path::of).toList());
  }

  @Test
  void everyJarHasItsLicenceAndTheTextsThatItAsksFor() throws IOException {
    assertThat(text("lib/protobuf-java-4.1.jar", "lib/annotations-4.1.jar", "lib/portolan-cli.jar"))
        .containsPattern("annotations-4.1.jar +Android annotations +Apache-2.0\nprotobuf-java")
        .contains("==== protobuf-license\n\nCopyright 2008 Google Inc.")
        .doesNotContain("portolan-cli", "==== netty");
  }

  @Test
  void aLibraryWithoutALicenceEndsTheBuild() {
    assertThatThrownBy(() -> text("new-thing-1.0.jar"))
        .isInstanceOf(BuildFailure.class)
        .hasMessageContaining("libraries.table has no row for new-thing-1.0.jar; add one");
  }

  @Test
  void theJarsOfTheProgramAreKnown() throws IOException {
    assertThat(ThirdParty.text(PROJECT, PROJECT.jars())).contains("==== netty-licenses");
  }
}
