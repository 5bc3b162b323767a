package dev.portolan.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.mode.Own;
import dev.portolan.mode.Scope;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What mode ebpf pinned, found by all others. The pins themselves are tested with the daemon. */
@NeedsKernel(tools = "ip")
final class SocketPinsTest {
  private final TestNamespace place = new TestNamespace();
  @TempDir private Path folder;

  @BeforeEach
  void pin() throws IOException {
    link(Files.getAttribute(place.path().orElseThrow(), "unix:ino"));
  }

  @AfterEach
  void close() {
    place.close();
  }

  private void link(Object namespace) throws IOException {
    Files.deleteIfExists(folder.resolve("netns"));
    Files.createSymbolicLink(folder.resolve("netns"), Path.of("net:[" + namespace + "]"));
  }

  private TakeoverOptions options(Set<Own> own, Scope scope) {
    return TakeoverOptions.of("portolan", own, List.of())
        .in(place.path())
        .pinnedTo(folder)
        .of(scope);
  }

  @ParameterizedTest
  @EnumSource(Own.class)
  void everyOtherModeRemovesThem(Own own) {
    Leftovers found = Takeover.find(options(Set.of(own), Scope.EVERYTHING));
    if (own == Own.SOCKETS) {
      assertThat(found.isEmpty()).isTrue();
    } else {
      assertThat(found.lines()).containsExactly("ebpf: programs and maps in " + folder);
      assertThat(found.remove().isComplete()).isTrue();
      assertThat(folder).doesNotExist();
    }
  }

  @Test
  void cleanupRemovesThemWithTheTablesBesideThem() {
    for (Scope scope : List.of(Scope.OURS, Scope.OUR_TABLES, Scope.SOCKETS)) {
      assertThat(Takeover.find(options(Set.of(), scope)).lines()).hasSize(1);
    }
    for (Scope scope : List.of(Scope.TABLES_OF_NAME, Scope.CHAINS, Scope.VIRTUAL_SERVERS)) {
      assertThat(Takeover.find(options(Set.of(), scope)).isEmpty()).isTrue();
    }
  }

  @Test
  void thoseOfAnotherNetworkNamespaceStay() throws IOException {
    link(1);
    assertThat(Takeover.find(options(Set.of(), Scope.EVERYTHING)).isEmpty()).isTrue();
  }
}
