package dev.portolan.telemetry.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.error.Failures;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.FreePort;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AcceptorTest {
  private static final BindAddress ANY_PORT = BindAddress.parse("127.0.0.1:0");

  @Test
  void manyPortsShareOneThread() throws IOException {
    List<HttpPort> ports = open(200, ANY_PORT);
    try {
      for (int i = 0; i < ports.size(); i++) {
        assertThat(Wire.get(ports.get(i).number(), "/").body()).isEqualTo("port " + i);
      }
      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> thread.getName().equals("http-acceptor"))
          .singleElement()
          .satisfies(thread -> assertThat(thread.isDaemon()).isTrue());
    } finally {
      HttpPort.closeAll(ports);
    }
  }

  @Test
  void portsThatAreClosedTogetherAreFreeAtOnce() {
    // No other process uses this address, so none can take a port in between.
    BindAddress quiet = BindAddress.parse("127.77.7.7:0");
    List<HttpPort> ports = open(200, quiet);
    HttpPort.closeAll(ports);
    List<HttpPort> again = new ArrayList<>();
    try {
      for (HttpPort port : ports) {
        again.add(HttpPort.open(quiet.withPort(port.number()), request -> Response.notFound()));
      }
    } finally {
      HttpPort.closeAll(again);
    }
  }

  @Test
  void aPortThatIsClosedIsFreeAtOnce() throws IOException {
    openAndCloseOnePortAgainAndAgain();
  }

  @Test
  void whoClosesNothingDoesNotWait() {
    HttpPort.closeAll(List.of());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFailureEndsNeitherThePortNorTheOthers(boolean expected)
      throws IOException, InterruptedException {
    AtomicInteger failures = new AtomicInteger();
    AtomicInteger accepted = new AtomicInteger();
    long counted = counted();
    try (ServerSocketChannel channel = ANY_PORT.open(9);
        HttpPort other = open(1, ANY_PORT).getFirst()) {
      Acceptor.shared()
          .add(
              channel,
              () -> {
                if (failures.incrementAndGet() <= 2) {
                  if (expected) {
                    throw new IOException("too many open files");
                  }
                  throw new IllegalStateException("a bug");
                }
                channel.accept().close();
                accepted.incrementAndGet();
              });
      try (Wire _ = new Wire(channel.socket().getLocalPort())) {
        Await.until("the port fails", () -> failures.get() > 0);
        assertThat(Wire.get(other.number(), "/").status()).isEqualTo(200);
        Await.until("the connection is accepted", () -> accepted.get() == 1);
        assertThat(counted()).isEqualTo(counted + 2);
      }
    }
  }

  /** How many failures there were so far; the log has one line per kind and minute. */
  private static long counted() {
    return Failures.ofProcess().counts().getOrDefault(Acceptor.PLACE, 0L);
  }

  @Test
  void aPortCanBeClosedWhileAnotherFails() throws IOException, InterruptedException {
    AtomicInteger failures = new AtomicInteger();
    try (ServerSocketChannel channel = ANY_PORT.open(9)) {
      Acceptor.shared()
          .add(
              channel,
              () -> {
                failures.incrementAndGet();
                throw new IOException("too many open files");
              });
      try (Wire _ = new Wire(channel.socket().getLocalPort())) {
        Await.until("the port fails", () -> failures.get() > 0);
        openAndCloseOnePortAgainAndAgain();
      }
    }
  }

  private static void openAndCloseOnePortAgainAndAgain() throws IOException {
    int number = FreePort.next();
    for (int i = 0; i < 200; i++) {
      HttpPort.open(ANY_PORT.withPort(number), request -> Response.notFound()).close();
    }
  }

  private static List<HttpPort> open(int count, BindAddress address) {
    List<HttpPort> ports = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String body = "port " + i;
      ports.add(HttpPort.open(address, request -> Response.text(200, body)));
    }
    return ports;
  }
}
