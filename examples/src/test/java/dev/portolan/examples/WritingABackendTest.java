package dev.portolan.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.core.cluster.NamespacedName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs in docs/writing-a-backend.md compile, and print what stands below them: these lines
 * and no others, except where {@code […]} stands.
 */
@Timeout(300)
final class WritingABackendTest {
  private static final Path DOCUMENT = Path.of("docs/writing-a-backend.md");
  private static final Pattern BLOCK =
      Pattern.compile("^```java\\n(.*?)^```\\n(?:\\n```text\\n(.*?)^```\\n)?", flags());
  private static final Pattern DELETION = Pattern.compile("\\((.*)/(.*) is deleted\\)");
  private static final String OMITTED = "[…]";
  private static final long PATIENCE_MILLIS = 30_000;

  private static int flags() {
    return Pattern.MULTILINE | Pattern.DOTALL;
  }

  /** A program, and what it prints; nothing where it is not to be run. */
  private record Block(int number, String program, List<String> output) {}

  private static List<Block> blocks() throws IOException {
    List<Block> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(Files.readString(DOCUMENT));
    while (matcher.find()) {
      String output = matcher.group(2) == null ? "" : matcher.group(2);
      blocks.add(new Block(blocks.size() + 1, matcher.group(1), output.lines().toList()));
    }
    return blocks;
  }

  @TestFactory
  Stream<DynamicTest> programsDoWhatTheDocumentSays(@TempDir Path folder) throws IOException {
    List<Block> blocks = blocks();
    assertThat(blocks).hasSizeGreaterThan(7);
    return blocks.stream()
        .map(block ->
            DynamicTest.dynamicTest("program " + block.number, () -> check(block, folder)));
  }

  @Test
  void theFirstOneIsTheExample() throws IOException {
    assertThat(blocks().getFirst().program)
        .isEqualTo(Files.readString(Path.of("examples/print-state/PrintState.java")));
  }

  private static void check(Block block, Path folder) throws Exception {
    String name = "Program" + block.number;
    Path source = Files.writeString(folder.resolve(name + ".java"), block.program);
    Class<?> program = Compiled.of(source, Files.createDirectory(folder.resolve(name)));
    if (!block.output.isEmpty()) {
      run(program, block.output);
    }
  }

  private static void run(Class<?> program, List<String> expected) throws Exception {
    Address address = new Address.InProcess(UUID.randomUUID().toString());
    try (Output output = new Output();
        ServedShop shop = new ServedShop(address)) {
      Thread thread =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try {
                  Compiled.main(program, "--api", address.toString(), "--node", "worker-1");
                } catch (ReflectiveOperationException e) {
                  throw new IllegalStateException(e);
                }
              });
      try {
        boolean skip = false;
        for (String line : expected) {
          Matcher deletion = DELETION.matcher(line);
          if (deletion.matches()) {
            shop.delete(new NamespacedName(deletion.group(1), deletion.group(2)));
          } else if (line.equals(OMITTED)) {
            skip = true;
          } else {
            assertThat(output.await(skip ? line::equals : any -> true)).isEqualTo(line);
            skip = false;
          }
        }
      } finally {
        thread.interrupt();
        thread.join(PATIENCE_MILLIS);
      }
      assertThat(thread.isAlive()).isFalse();
    }
  }
}
