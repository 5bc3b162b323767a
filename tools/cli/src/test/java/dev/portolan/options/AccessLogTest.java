package dev.portolan.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Lines about connections, for readers who keep up and for one who does not. */
final class AccessLogTest {
  private final List<String> remarks = new CopyOnWriteArrayList<>();

  @Test
  void whatIsLeftIsPrintedAtTheEnd() {
    StringWriter out = new StringWriter();
    try (AccessLog log = new AccessLog(new PrintWriter(out), remarks::add)) {
      log.accept("one");
      log.accept("two");
    }
    assertThat(out.toString()).isEqualTo("one\ntwo\n");
    assertThat(remarks).isEmpty();
  }

  @Test
  void aReaderWhoIsSlowHoldsUpNobodyAndIsToldWhatIsMissing() {
    CountDownLatch reads = new CountDownLatch(1);
    StringWriter out = new StringWriter();
    try (AccessLog log = new AccessLog(new PrintWriter(new Slow(out, reads)), remarks::add)) {
      for (int i = 0; i < 30_000; i++) {
        log.accept("line " + i);
      }
      reads.countDown();
    }
    assertThat(remarks).hasSize(1);
    assertThat(remarks.getFirst()).startsWith("the access log lacks ");
    assertThat(out.toString().lines()).hasSizeBetween(10_000, 11_000);
  }

  /** Accepts nothing until it is read. */
  private static final class Slow extends Writer {
    private final Writer out;
    private final CountDownLatch reads;

    Slow(Writer out, CountDownLatch reads) {
      this.out = out;
      this.reads = reads;
    }

    @Override
    public void write(char[] text, int start, int length) throws IOException {
      try {
        reads.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      out.write(text, start, length);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
