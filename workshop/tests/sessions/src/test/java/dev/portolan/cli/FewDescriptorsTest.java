package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.HttpPage;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.testbase.Await;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that may open too few files says so, and goes on when there is room again. */
final class FewDescriptorsTest {
  private static final int FLOOD = 60;

  @TempDir private Path folder;

  @Test
  void tooFewToStartIsOneSentence() throws Exception {
    for (int limit : List.of(40, 100)) {
      Process process =
          RealProgram.startUnder(
              List.of("prlimit", "--nofile=" + limit), RealProgram.classPath(), folder, "version");
      Result result = RealProgram.end(folder, process);
      assertThat(result.status()).isEqualTo(70);
      assertThat(result.err())
          .startsWith("portolan: only " + limit + " files can be open at once, but at least 160 ")
          .endsWith("[PORT-502]\n")
          .hasLineCount(1);
    }
  }

  @Test
  void aFloodOfConnectionsIsALineForEachServerAndLaterAllIsAsBefore() throws Exception {
    Path socket = folder.resolve("b.sock");
    Process brain =
        RealProgram.startUnder(
            List.of(),
            jars(),
            folder,
            "brain",
            "--from=file:" + Shell.SHOP,
            "--listen=unix://" + socket,
            "--metrics-bind-address=127.0.0.1:0",
            "--chart-listen=127.0.0.1:0");
    try {
      awaitLog("synced: ");
      String health = HttpPage.address(log());
      Matcher chart = Pattern.compile("chart on (http://127.0.0.1:\\d+)").matcher(log());
      assertThat(chart.find()).as(log()).isTrue();
      limit(brain, open(brain) + 5);
      List<AutoCloseable> flood = new ArrayList<>();
      try {
        for (int i = 0; i < FLOOD; i++) {
          flood.add(connect(health));
          flood.add(connect(chart.group(1)));
          flood.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
        }
        awaitLog("unexpected failure of http-acceptor: ");
        awaitLog("unexpected failure of brain listener: ");
        // Long enough for many more, if there were any.
        Thread.sleep(2000);
        assertThat(log().lines().filter(line -> line.contains("unexpected failure of ")))
            .as(log())
            .hasSize(2)
            .allMatch(line -> line.contains("Too many open files"))
            .allMatch(line -> line.endsWith("[PORT-502]"));
        assertThat(log()).doesNotContain("\tat ");
      } finally {
        for (AutoCloseable connection : flood) {
          connection.close();
        }
      }
      awaitAnswer(health + "/healthz");
      awaitAnswer(chart.group(1) + "/");
      assertThat(Shell.run("show", "--api=unix://" + socket, "--node=worker-1").status()).isZero();
    } finally {
      brain.destroyForcibly();
    }
  }

  /** Whatever is needed for the first time while nothing can be opened works later. */
  @Test
  void aChartThatIsFloodedBeforeItsFirstAnswerGivesItLater() throws Exception {
    Process chart =
        RealProgram.startUnder(
            List.of(),
            jars(),
            folder,
            "chart",
            "--from=file:" + Shell.SHOP,
            "--listen=127.0.0.1:0");
    try {
      Path out = folder.resolve("stdout");
      awaitText(out, "http://127.0.0.1:");
      String address = Files.readString(out).strip().replaceFirst("/$", "");
      limit(chart, open(chart) + 5);
      List<Socket> flood = new ArrayList<>();
      try {
        for (int i = 0; i < FLOOD; i++) {
          flood.add(connect(address));
        }
        awaitLog("unexpected failure of http-acceptor: ");
        for (int i = 0; i < FLOOD; i++) {
          // Some wait for an answer, and the chart for the rest of others.
          String request = "GET / HTTP/1.1\r\nHost: " + address.substring("http://".length());
          send(flood.get(i), i % 2 == 0 ? request + "\r\n\r\n" : request);
        }
        // Long enough for each that was accepted.
        Thread.sleep(1000);
      } finally {
        for (Socket connection : flood) {
          connection.close();
        }
      }
      awaitAnswer(address + "/");
      assertThat(log().lines().filter(line -> line.contains("unexpected failure of ")))
          .as(log())
          .hasSize(1)
          .allMatch(line -> line.contains("Too many open files"));
    } finally {
      chart.destroyForcibly();
    }
  }

  private static void send(Socket connection, String text) throws IOException {
    connection.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The class path as it is installed: a class in a folder is a file to be opened. */
  private String jars() {
    ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
    List<String> jars = new ArrayList<>();
    for (String entry : RealProgram.classPath().split(File.pathSeparator, -1)) {
      if (Files.isDirectory(Path.of(entry))) {
        String file = folder.resolve(jars.size() + ".jar").toString();
        assertThat(jar.run(System.out, System.err, "-c0f", file, "-C", entry, ".")).isZero();
        jars.add(file);
      } else {
        jars.add(entry);
      }
    }
    return String.join(File.pathSeparator, jars);
  }

  private static Socket connect(String address) throws IOException {
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  private static void awaitAnswer(String address) {
    Await.until("an answer of " + address, () -> HttpPage.read(address).status() == 200);
  }

  private static long open(Process process) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc", process.pid() + "", "fd"))) {
      return files.count();
    }
  }

  private static void limit(Process process, long files) throws Exception {
    Process done =
        new ProcessBuilder("prlimit", "--pid=" + process.pid(), "--nofile=" + files).start();
    assertThat(done.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(done.exitValue()).isZero();
  }

  private String log() throws IOException {
    return Files.readString(folder.resolve("stderr"));
  }

  private void awaitLog(String text) {
    awaitText(folder.resolve("stderr"), text);
  }

  private static void awaitText(Path file, String text) {
    Await.text(text, () -> Files.readString(file));
  }
}
