package dev.portolan.options;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A cluster behind a connection, read once. */
final class Snapshot {
  private Snapshot() {}

  /**
   * The first state that {@code source} hands over.
   *
   * @param where the source in words
   * @param longest how long that may take
   */
  static ClusterImage of(Source source, String where, Duration longest, Remarks remarks) {
    BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
    Thread reader = Thread.ofVirtual().name("read " + where).start(() -> read(source, answers));
    try (Waiting _ = Waiting.announce(() -> "waiting for the cluster from " + where, remarks)) {
      return image(answers.poll(longest.toMillis(), TimeUnit.MILLISECONDS), where, longest);
    } catch (InterruptedException e) {
      throw CommandFailure.input("interrupted while " + where + " was read");
    } finally {
      reader.interrupt();
    }
  }

  private static ClusterImage image(@Nullable Object answer, String where, Duration longest) {
    return switch (answer) {
      case null ->
          throw CommandFailure.refused(
              ErrorCode.BRAIN_API,
              where
                  + ": no cluster received within "
                  + longest.toSeconds()
                  + " seconds; has the brain read it yet? See its log");
      case ClusterImage all -> all;
      case Object problem -> throw CommandFailure.input(Text.printable(problem.toString()));
    };
  }

  private static void read(Source source, BlockingQueue<Object> answers) {
    try {
      source.run(new First(answers));
    } catch (InterruptedException e) {
      // It has what it wants.
    } catch (CommandFailure e) {
      answers.add(e.sentence());
    }
  }

  private record First(BlockingQueue<Object> answers) implements Source.Sink {
    @Override
    public void apply(ClusterImage cluster) {
      answers.add(cluster);
    }

    @Override
    public void report(String problem) {
      answers.add(problem);
    }

    /** Nobody waits for the next attempt. */
    @Override
    public void retrying(ErrorCode code, String problem, String meanwhile) {
      answers.add(code.mark(problem));
    }
  }
}
