package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.terminal.Terminal;
import dev.portolan.testbase.RepositoryRoot;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import org.junit.jupiter.api.Test;

/** A mistake of ours, which no session can make. */
final class FailureTest {
  @Test
  void aMistakeOfOursIsOneLineAndSeventy() {
    StringWriter err = new StringWriter();
    PrintWriter broken =
        new PrintWriter(Writer.nullWriter()) {
          @Override
          public void print(String text) {
            throw new IllegalStateException("out of order");
          }
        };
    String[] args = {
      "show", "--from", "file:" + RepositoryRoot.resolve("examples/shop"), "--node", "worker-1"
    };

    int status = CommandRun.run(args, Terminal.plain(broken, new PrintWriter(err, true)));

    assertThat(status).isEqualTo(70);
    assertThat(err.toString())
        .isEqualTo(
            """
            portolan: internal error: java.lang.IllegalStateException: out of order [PORT-500]
            Set PORTOLAN_DEBUG=1 to see the stack trace.
            """);
  }
}
