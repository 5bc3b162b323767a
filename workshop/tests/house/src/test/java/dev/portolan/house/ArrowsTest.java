package dev.portolan.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The page of arrows is generated from the class files; {@code -Dupdate} rewrites it. */
final class ArrowsTest {
  private static final Path PAGE = Modules.ROOT.resolve("workshop/arrows.md");

  @Test
  void thePageOfArrowsIsWhatTheClassesSay() throws IOException {
    String page = page();
    if (Golden.UPDATE) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE)).isEqualTo(page);
  }

  private static String page() throws IOException {
    StringBuilder page =
        new StringBuilder(
            """
            # Arrows

            Which modules the main code of each module uses. Made from the class files; a test compares it, and
            `./dev test house -Dupdate` rewrites it.

            | module | uses |
            |---|---|
            """);
    int arrows = 0;
    Map<String, Set<String>> used = Modules.used();
    for (Map.Entry<String, Set<String>> module : used.entrySet()) {
      page.append("| %s | %s |\n".formatted(module.getKey(), String.join(", ", module.getValue())));
      arrows += module.getValue().size();
    }
    return page.append("\n%d modules, %d arrows.\n".formatted(used.size(), arrows)).toString();
  }
}
