package dev.portolan.source.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.OwnJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that writes is killed, as by {@code kill -9}, and another one goes on. */
@Timeout(180)
final class KilledWriterTest {
  private static final int CHANGES = 3000;

  @TempDir private Path folder;

  @Test
  void nothingThatWasWrittenIsLostAndAppendingGoesOn() throws Exception {
    Path file = folder.resolve("x.rec");
    Random random = new Random(17);
    List<List<RecordedEvent>> runs = new ArrayList<>();
    for (int run = 0; run < 4; run++) {
      long before = Files.exists(file) ? Files.size(file) : 0;
      Process writer = start(file, run);
      try {
        long enough = before + random.nextInt(5_000, 80_000);
        while (!Files.exists(file) || Files.size(file) < enough) {
          assertThat(writer.isAlive()).isTrue();
          Thread.sleep(1);
        }
      } finally {
        writer.destroyForcibly().waitFor();
      }
      runs.add(Samples.kept(Samples.events(run, CHANGES)));
    }
    List<List<RecordedEvent>> read = new ArrayList<>();
    String damage =
        Recording.open(file)
            .read(event -> {
              if (event instanceof RecordedEvent.Started) {
                read.add(new ArrayList<>());
              }
              read.getLast().add(event);
            });
    assertThat(damage).matches("|cut off after entry \\d+ at .*");
    assertThat(read).hasSameSizeAs(runs);
    for (int run = 0; run < runs.size(); run++) {
      List<RecordedEvent> survived = read.get(run);
      assertThat(survived).hasSizeGreaterThan(20);
      int compared = Math.min(survived.size(), runs.get(run).size() - 2);
      assertThat(survived.subList(0, compared)).isEqualTo(runs.get(run).subList(0, compared));
    }
  }

  private static Process start(Path file, int seed) throws IOException {
    Process process =
        new ProcessBuilder(
                OwnJvm.words(
                    List.of("-XX:TieredStopAtLevel=1", "-Xmx512m"),
                    EndlessWriter.class,
                    file.toString(),
                    Integer.toString(seed)))
            .redirectErrorStream(true)
            .start();
    int first = process.getInputStream().read();
    assertThat(first).isEqualTo('r');
    return process;
  }
}
