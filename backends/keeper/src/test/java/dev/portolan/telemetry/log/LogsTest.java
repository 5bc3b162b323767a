package dev.portolan.telemetry.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines as they are written, at a time that stands still. */
final class LogsTest {
  private static final Clock NOON =
      Clock.fixed(Instant.parse("2026-11-15T13:03:22.123456Z"), ZoneId.of("Europe/Berlin"));
  private static final Duration NEVER = Duration.ofDays(1);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void textIsAsKlogWritesIt() {
    Log log = text(0).of("daemon");
    log.info("Started", "version", "1.2", "services", 3, "took", Duration.ofMillis(1500));
    log.warn("No endpoints", "ready", false, "ports", List.of(80, "https"), "nothing", null);
    log.error(new IOException("refused"), "Cannot connect", "server", "https://[::1]:6443");
    log.error("Gave up");
    assertThat(err)
        .hasToString(
            """
            I1115 14:03:22.123456    4711 daemon:1] "Started" version="1.2" services=3 took="1.5s"
            W1115 14:03:22.123456    4711 daemon:1] "No endpoints" ready=false ports=[80,"https"] nothing=null
            E1115 14:03:22.123456    4711 daemon:1] "Cannot connect" err="refused" server="https://[::1]:6443"
            E1115 14:03:22.123456    4711 daemon:1] "Gave up"
            """);
    assertThat(out.size()).isZero();
  }

  @Test
  void jsonIsAsTheComponentsOfKubernetesWriteIt() {
    Logs logs = open(logging("json", 4, List.of(), false, "0", NEVER));
    Log log = logs.of("daemon");
    log.info("Started", "services", 3, "ratio", 0.5, "nan", Double.NaN);
    log.v(4).info("Synced", "nodes", List.of("a", "b"));
    log.warn("Odd", "only-a-name");
    log.error(new IllegalStateException(), "Failed", "ns", "default");
    assertThat(err)
        .hasToString(
            """
            {"ts":1794747802123.456,"caller":"daemon:1","msg":"Started","v":0,"services":3,"ratio":0.5,"nan":"NaN"}
            {"ts":1794747802123.456,"caller":"daemon:1","msg":"Synced","v":4,"nodes":["a","b"]}
            {"ts":1794747802123.456,"caller":"daemon:1","msg":"Odd","v":0,"only-a-name":"(MISSING)"}
            {"ts":1794747802123.456,"caller":"daemon:1","msg":"Failed","ns":"default","err":"java.lang.IllegalStateException"}
            """);
  }

  @Test
  void nothingLeavesItsLine() {
    Log log = text(0).of("daemon");
    log.info("two\nlines", "value", "a\"b\\c\td\u001b[31m\u0085\u2028\u202e\ud83d\ude00\ud83d");
    assertThat(err)
        .hasToString(
            "I1115 14:03:22.123456    4711 daemon:1] \"two\\nlines\""
                + " value=\"a\\\"b\\\\c\\td\\u001b[31m\\u0085\\u2028\\u202e\ud83d\ude00\\ud83d\"\n");
  }

  @Test
  void longValuesAreCut() {
    Log log = text(0).of("daemon");
    log.info(
        "Long", "text", "x".repeat(1_000_000), "list", IntStream.range(0, 99_999).boxed().toList());
    assertThat(err.size()).isLessThan(20_000);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("xxx... (991808 more characters)\"")
        .contains(",\"... (more)\"]\n");
  }

  @Test
  void whatIsOffIsNotFormatted() {
    Object touchy =
        new Object() {
          @Override
          public String toString() {
            throw new IllegalStateException("formatted");
          }
        };
    Log log = text(2).of("daemon");
    assertThat(log.enabled(2)).isTrue();
    assertThat(log.enabled(3)).isFalse();
    log.v(3).info("Detail", "touchy", touchy);
    assertThat(err.size()).isZero();
    log.v(2).info("Detail", "touchy", touchy);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("cannot be shown");
  }

  @ParameterizedTest
  @CsvSource({
    "daemon,   daemon=5,           5",
    "daemon,   dae*=5,             5",
    "daemon,   d?emon=3,           3",
    "daemon,   '[a-d]aemon=3',     3",
    "daemon,   watch=5,            1",
    "daemon,   daemon=0,           1",
    "daemon,   'watch=9;da*=4;daemon=7', 4",
    "daemon,   '[=5',              1",
    "daemon,   '{daemon,watch}=5', 1"
  })
  void vmoduleKnowsComponentsByName(String component, String items, int highest) {
    List<LogSettings.Component> vmodule =
        List.of(items.split(";", -1)).stream()
            .map(item -> item.split("=", -1))
            .map(parts -> new LogSettings.Component(parts[0], Long.parseLong(parts[1])))
            .toList();
    Log log = open(logging("text", 1, vmodule, false, "0", NEVER)).of(component);
    assertThat(log.enabled(highest)).isTrue();
    assertThat(log.enabled(highest + 1)).isFalse();
  }

  @Test
  void theVerbosityCanChange() {
    Logs logs = text(0);
    Log log = logs.of("daemon");
    logs.setVerbosity(4);
    assertThat(log.enabled(4)).isTrue();
    assertThat(log.v(4).enabled(5)).isFalse();
  }

  @Test
  void splitStreamsTellInformationFromTheRest() {
    Log log = open(logging("text", 0, List.of(), true, "0", NEVER)).of("daemon");
    log.info("Good");
    log.warn("Odd");
    log.error("Bad");
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("Good").hasLineCount(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("Odd", "Bad").hasLineCount(2);
  }

  @Test
  void aBufferWaitsUntilItIsFullOrFlushed() {
    Logs logs = open(logging("text", 0, List.of(), true, "1Ki", NEVER));
    Log log = logs.of("daemon");
    log.info("Waits");
    log.error("Goes");
    assertThat(out.size()).isZero();
    assertThat(err.size()).isPositive();
    logs.flush();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("Waits");
    int before = out.size();
    IntStream.range(0, 100).forEach(i -> log.info("More", "i", i));
    assertThat(out.size()).isGreaterThan(before);
    logs.close();
    assertThat(out.toString(StandardCharsets.UTF_8)).hasLineCount(101);
    log.info("After the end");
    assertThat(out.toString(StandardCharsets.UTF_8)).hasLineCount(102);
  }

  @Test
  void aBufferIsFlushedAgainAndAgain() throws Exception {
    CountDownLatch written = new CountDownLatch(1);
    OutputStream stream =
        new OutputStream() {
          @Override
          public void write(int b) {
            written.countDown();
          }
        };
    LogSettings settings = logging("json", 0, List.of(), true, "64Ki", Duration.ofMillis(10));
    try (Logs logs = Logs.open(settings, new Streams(stream, err), NOON, 4711)) {
      logs.of("daemon").info("Waits");
      assertThat(written.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void linesOfManyThreadsStayWhole() throws Exception {
    Log log = text(0).of("daemon");
    List<Thread> threads =
        IntStream.range(0, 8)
            .mapToObj(thread ->
                Thread.ofVirtual()
                    .start(() -> IntStream.range(0, 500).forEach(i -> log.info("Line", "i", i))))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .hasSize(4000)
        .allMatch(line -> line.matches("I1115 [0-9:.]+    4711 daemon:1\\] \"Line\" i=[0-9]+"));
  }

  @Test
  void aStreamThatFailsDoesNotStopTheProgram() {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("no space left");
          }
        };
    try (Logs logs =
        Logs.open(
            logging("text", 0, List.of(), true, "0", NEVER),
            new Streams(broken, broken),
            NOON,
            4711)) {
      logs.of("daemon").info("Lost");
      logs.of("daemon").error("Lost too");
      assertThat(logs.lost()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "64Ki, 65536",
    "1.5k, 1500",
    "1e3, 1000",
    "100m, 1",
    "-1, 0",
    "1Gi, 16777216"
  })
  void quantitiesAreBytes(String quantity, int bytes) {
    assertThat(BufferSize.of(quantity)).isEqualTo(bytes);
  }

  private Logs text(long verbosity) {
    return open(logging("text", verbosity, List.of(), false, "0", NEVER));
  }

  private Logs open(LogSettings settings) {
    return Logs.open(settings, new Streams(out, err), NOON, 4711);
  }

  private static LogSettings logging(
      String format,
      long verbosity,
      List<LogSettings.Component> vmodule,
      boolean split,
      String buffer,
      Duration flush) {
    return new LogSettings(format.equals("json"), verbosity, vmodule, split, buffer, flush);
  }
}
