package dev.portolan.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.Methods;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.OwnJvm;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PortolanTest {
  @TempDir Path folder;
  private final World world = new World();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Portolan program =
      new Portolan(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          --colour            | '--colour': unknown flag; see --help
          state               | 'state': unknown flag; see --help
          --once=yes          | '--once=yes': unknown flag; see --help
          --api               | --api: a value is required
          --api=unix:x        | --api: 'unix:x' is not a valid address: the path of a unix socket must be absolute, as in unix:///run/x.sock
          --error-delay 5     | --error-delay: '5' is not a valid duration; write for example 500ms, 5s or 1m
          --error-delay 0s    | --error-delay: '0s' is not a valid duration; write for example 500ms, 5s or 1m
          --max-msg-size -1   | --max-msg-size: '-1' is not a valid size; write a number of bytes, for example 4194304
          --max-msg-size 4M   | --max-msg-size: '4M' is not a valid size; write a number of bytes, for example 4194304
          --tls-key k         | --tls-key, --tls-crt and --tls-ca must be used together; set all three, or none
          --rev 7             | --instance-id and --rev must be used together; write both as --once printed them
          --rev x --instance-id 1 | --rev: 'x' is not a valid number
          --api [::1]:1 --tls-key /k --tls-crt /c --tls-ca /a | /k: no such file
          --tls-key /k --tls-crt /c --tls-ca /a | unix:///run/portolan/api.sock: certificates are for tcp:// addresses; remove them here
          """)
  void aWrongFlagGetsASentence(String args, String sentence) {
    assertThat(program.execute(words(args), state -> {})).isEqualTo(2);
    assertThat(err.toString(UTF_8)).isEqualTo(sentence + "\n");
    assertThat(out.size()).isZero();
  }

  @Test
  void flagsAreReadBothWays() {
    BackendFlags flags =
        BackendFlags.parse(
            words(
                "--api=10.0.0.1:12090 --node n1 --error-delay 250ms --max-msg-size=99"
                    + " --instance-id 18446744073709551615 --rev=3 --once"));
    assertThat(flags.api()).hasToString("tcp://10.0.0.1:12090");
    assertThat(flags.node()).isEqualTo("n1");
    assertThat(flags.errorDelay()).hasMillis(250);
    assertThat(flags.mostMessageBytes()).isEqualTo(99);
    assertThat(flags.held()).isEqualTo(new Position(-1, 3));
    assertThat(flags.once()).isTrue();
  }

  @Test
  void theNodeMayBeNamedAsInKpng() {
    assertThat(BackendFlags.parse(words("--node-name=n2")).node()).isEqualTo("n2");
    assertThat(BackendFlags.parse(words("--node-name n2 --node n3")).node()).isEqualTo("n3");
  }

  @Test
  void withoutFlagsTheHostsNameAndTheUsualSocketCount() {
    BackendFlags flags = BackendFlags.parse(List.of());
    assertThat(flags.api()).hasToString("unix:///run/portolan/api.sock");
    assertThat(flags.node()).isNotEmpty();
    assertThat(flags.held()).isEqualTo(Position.NONE);
  }

  @Test
  void helpNamesEveryFlag() {
    assertThat(program.execute(List.of("--help"), state -> {})).isZero();
    assertThat(out.toString(UTF_8))
        .contains(
            "--api",
            "--node ",
            "--tls-key",
            "--tls-crt",
            "--tls-ca",
            "--error-delay",
            "--max-msg-size",
            "--once",
            "--instance-id",
            "--rev",
            "--healthz-bind-address",
            "--metrics-bind-address",
            "--health-check-node-ports");
  }

  @Test
  void onceEndsAfterOneStateAndSaysHowToGoOn() throws Exception {
    try (ScriptedServer<WatchReq> server = ScriptedServer.inProcess(Methods.LOCAL_WATCH)) {
      List<NodeImage> states = new ArrayList<>();
      CompletableFuture<Integer> status = start(server, "--once", states::add);
      ScriptedServer<WatchReq>.Stream stream = server.stream();
      assertThat(stream.request().getClientName()).startsWith("PortolanTest");
      stream.whole(world.image(), -1, 4);
      WatchReq last = stream.request();
      assertThat(last.getReportOnly()).isTrue();
      assertThat(Position.of(last.getReport().getApplied())).isEqualTo(new Position(-1, 4));
      assertThat(status.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isZero();
      assertThat(states).singleElement().matches(state -> state.sameAs(world.image()));
      assertThat(err.toString(UTF_8))
          .isEqualTo("continue from here with --instance-id 18446744073709551615 --rev 4\n");
    }
  }

  /** The long poll of KEP-2104, with a program that is started for each state. */
  @Test
  void onceWaitsForAnotherStateThanTheOneThatIsHeld() throws Exception {
    try (ScriptedServer<WatchReq> server = ScriptedServer.inProcess(Methods.LOCAL_WATCH)) {
      List<NodeImage> states = new ArrayList<>();
      NodeImage first = world.image();
      CompletableFuture<Integer> status =
          start(server, "--once --instance-id 7 --rev 4", states::add);
      ScriptedServer<WatchReq>.Stream stream = server.stream();
      stream.whole(first, 7, 4);
      stream.request();
      assertThat(stream.request().getReportOnly()).as("it asks for another").isFalse();
      world.service("cart", "10.96.0.1", "10.244.0.2");
      stream.changes(first, world.image()).sync(7, 5);
      WatchReq last = stream.request();
      assertThat(last.getReportOnly()).isTrue();
      assertThat(Position.of(last.getReport().getApplied())).isEqualTo(new Position(7, 5));
      assertThat(status.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isZero();
      assertThat(states).singleElement().matches(state -> state.sameAs(world.image()));
    }
  }

  @Test
  void aHandlerThatFailsIsToldAndTriedAgain() throws Exception {
    try (ScriptedServer<WatchReq> server = ScriptedServer.inProcess(Methods.LOCAL_WATCH)) {
      List<NodeImage> states = new ArrayList<>();
      Consumer<NodeImage> handler =
          state -> {
            states.add(state);
            if (states.size() < 3) {
              throw new BackendException("the disk is full");
            }
          };
      CompletableFuture<Integer> status = start(server, "--once --error-delay 10ms", handler);
      ScriptedServer<WatchReq>.Stream stream = server.stream();
      stream.whole(world.image(), 7, 4);
      assertThat(status.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isZero();
      assertThat(err.toString(UTF_8)).startsWith("the disk is full\nthe disk is full\ncontinue");
      assertThat(stream.requests)
          .extracting(request -> request.getReport().getError())
          .contains("the disk is full");
    }
  }

  @Test
  void whateverAHandlerThrowsIsToldAndTriedAgain() throws Exception {
    try (ScriptedServer<WatchReq> server = ScriptedServer.inProcess(Methods.LOCAL_WATCH)) {
      List<NodeImage> states = new ArrayList<>();
      Consumer<NodeImage> handler =
          state -> {
            states.add(state);
            if (states.size() == 1) {
              throw new IllegalArgumentException("a bug");
            }
            if (states.size() == 2) {
              throw new StackOverflowError();
            }
          };
      CompletableFuture<Integer> status = start(server, "--once --error-delay 10ms", handler);
      ScriptedServer<WatchReq>.Stream stream = server.stream();
      stream.whole(world.image(), 7, 4);
      assertThat(status.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isZero();
      assertThat(err.toString(UTF_8).lines())
          .hasSize(3)
          .anyMatch(line ->
              line.matches(
                  "the backend threw java.lang.IllegalArgumentException at"
                      + " dev.portolan.client.PortolanTest.*PortolanTest.java:[0-9]+.: a bug"))
          .anyMatch(line -> line.startsWith("the backend threw java.lang.StackOverflowError at "))
          .noneMatch(line -> line.startsWith("\tat "));
      assertThat(stream.requests)
          .extracting(request -> request.getReport().getError())
          .anyMatch(error -> error.endsWith(": a bug"));
    }
  }

  @Test
  void aBackendThatIsBrokenFromTheStartEndsWithALine() {
    Backend broken =
        new Backend() {
          @Override
          public void sync(NodeChange change) {}

          @Override
          public void cleanup() {}

          @Override
          public boolean usesConntrack() {
            throw new UnsupportedOperationException("not written yet");
          }
        };
    List<String> args = List.of("--api", "unix:///nonexistent/api.sock", "--node", "n1");
    assertThat(program.execute(args, broken)).isEqualTo(1);
    assertThat(err.toString(UTF_8).lines())
        .filteredOn(line -> !line.startsWith("unix://"))
        .singleElement()
        .asString()
        .startsWith("the backend threw java.lang.UnsupportedOperationException at ")
        .endsWith(": not written yet");
  }

  @Test
  void aClientIsCalledAsAPersonWouldCallIt() {
    final class Local {}
    Consumer<NodeImage> lambda = state -> {};
    Object anonymous = new Object() {};
    assertThat(Portolan.name(lambda)).isEqualTo("PortolanTest");
    assertThat(Portolan.name(anonymous)).isEqualTo("PortolanTest");
    assertThat(Portolan.name(new Patient())).isEqualTo("PortolanTest.Patient");
    assertThat(Portolan.name(new RecordingBackend())).isEqualTo("RecordingBackend");
    assertThat(Portolan.name(new Local())).isEqualTo("PortolanTest.Local");
  }

  private static final class Patient {}

  @Test
  void aBackendFollowsALostBrainAndSaysSo() throws Exception {
    RecordingBackend backend = new RecordingBackend();
    try (ScriptedServer<WatchReq> server = ScriptedServer.inProcess(Methods.LOCAL_WATCH)) {
      List<String> args =
          List.of("--api", server.address.toString(), "--node", "n1", "--error-delay=10ms");
      Thread thread = Thread.ofVirtual().start(() -> program.execute(args, backend));
      server.stream().whole(world.image(), 7, 4).end();
      ScriptedServer<WatchReq>.Stream stream = server.stream();
      stream.sync(7, 4);
      Await.until("it is back", () -> err.toString(UTF_8).contains("connected again"));
      assertThat(err.toString(UTF_8))
          .isEqualTo(
              "%1$s: the server ended the stream; retrying\n%1$s: connected again\n"
                  .formatted(server.address));
      thread.interrupt();
      assertThat(thread.join(Await.PATIENCE)).isTrue();
      assertThat(backend.synced).hasSize(1);
    }
  }

  @Test
  void aHandlerGetsEachNewStateAgainUntilItTakesIt() throws Exception {
    BlockingQueue<NodeImage> states = new LinkedBlockingQueue<>();
    int[] calls = {0};
    Consumer<NodeImage> handler =
        state -> {
          if (calls[0]++ == 0) {
            throw new BackendException("the disk is full");
          }
          states.add(state);
        };
    try (ScriptedServer<WatchReq> server = ScriptedServer.inProcess(Methods.LOCAL_WATCH)) {
      List<String> args =
          List.of(
              "--api=" + server.address,
              "--node=n1",
              "--error-delay=10ms",
              "--instance-id=7",
              "--rev=4");
      Thread thread = Thread.ofVirtual().start(() -> program.execute(args, handler));
      ScriptedServer<WatchReq>.Stream stream = server.stream();
      NodeImage first = world.image();
      stream.whole(first, 7, 4);
      world.service("cart", "10.96.0.1", "10.244.0.2");
      stream.changes(first, world.image()).sync(7, 5);
      assertThat(Await.next(states).sameAs(world.image())).isTrue();
      assertThat(err.toString(UTF_8)).isEqualTo("the disk is full\n");
      Await.until(
          "the server knows",
          () ->
              stream.requests.stream()
                  .anyMatch(it -> it.getReport().getError().equals("the disk is full")));
      thread.interrupt();
      assertThat(thread.join(Await.PATIENCE)).isTrue();
      assertThat(states).isEmpty();
    }
  }

  @Test
  void aBackendHasToKnowEveryState() {
    assertThat(program.execute(List.of("--once"), new RecordingBackend())).isEqualTo(2);
    assertThat(err.toString(UTF_8))
        .startsWith("--once, --instance-id and --rev are not supported by this");
  }

  @Test
  void aSignalEndsItInGoodOrder() throws Exception {
    Path socket = folder.resolve("api.sock");
    Path errors = folder.resolve("errors");
    try (ScriptedServer<WatchReq> server = ScriptedServer.unix(socket, Methods.LOCAL_WATCH)) {
      Process process =
          new ProcessBuilder(
                  OwnJvm.words(
                      List.of(),
                      FiveLines.class,
                      "--api",
                      server.address.toString(),
                      "--node",
                      World.NODE))
              .redirectError(errors.toFile())
              .start();
      BufferedReader lines = process.inputReader(UTF_8);
      try {
        ScriptedServer<WatchReq>.Stream stream = server.stream();
        assertThat(stream.request().getNodeName()).isEqualTo(World.NODE);
        world.service("cart", "10.96.0.1", "10.244.0.2");
        stream.whole(world.image(), 7, 4);
        BlockingQueue<String> read = new LinkedBlockingQueue<>();
        Thread.ofVirtual().start(() -> lines.lines().forEach(read::add));
        assertThat(Await.next(read)).isEqualTo("shop/cart");
        process.destroy();
        assertThat(process.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(errors).content(UTF_8).isEmpty();
      } finally {
        process.destroyForcibly();
      }
    }
  }

  /** A whole backend. */
  static final class FiveLines {
    private FiveLines() {}

    public static void main(String[] args) {
      Portolan.run(args, state -> state.services().forEach(service -> IO.println(service.name())));
    }
  }

  private CompletableFuture<Integer> start(
      ScriptedServer<?> server, String flags, Consumer<NodeImage> handler) {
    List<String> args =
        Stream.concat(
                Stream.of("--api", server.address.toString(), "--node", "n1"),
                words(flags).stream())
            .toList();
    return CompletableFuture.supplyAsync(() -> program.execute(args, handler));
  }

  private static List<String> words(String args) {
    return List.of(args.split(" ", -1));
  }
}
