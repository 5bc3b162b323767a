package dev.portolan.telemetry.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.testbase.Await;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class StandingPortTest {
  private final List<String> problems = new CopyOnWriteArrayList<>();

  @Test
  void aTakenPortIsOpenedWhenItIsFree() throws IOException, InterruptedException {
    ServerSocket taken = Wire.takenPort();
    try (StandingPort port = on(taken.getLocalPort())) {
      port.open(false, problems::add);
      assertThat(port.number()).isZero();
      assertThat(problems)
          .containsExactly(
              "cannot serve pages on 127.0.0.1:"
                  + taken.getLocalPort()
                  + ": Address already in use; free the port or change somewhere; retrying until it"
                  + " works");
      taken.close();
      Await.until("the port opens", () -> port.number() != 0);
      assertThat(Wire.get(port.number(), "/").body()).isEqualTo("here");
      assertThat(problems).hasSize(1);
    }
  }

  @Test
  void aTakenPortThatMustBeOpenedIsAFailure() throws IOException {
    try (ServerSocket taken = Wire.takenPort();
        StandingPort port = on(taken.getLocalPort())) {
      assertThatThrownBy(() -> port.open(true, problems::add))
          .isInstanceOf(PortUnavailableException.class)
          .hasMessage(
              "cannot serve pages on 127.0.0.1:"
                  + taken.getLocalPort()
                  + ": Address already in use; free the port or change somewhere");
      assertThat(problems).isEmpty();
    }
  }

  @Test
  void whoGaveUpDoesNotTakeThePortLater() throws IOException, InterruptedException {
    int number;
    try (ServerSocket taken = Wire.takenPort()) {
      number = taken.getLocalPort();
      StandingPort port = on(number);
      port.open(false, problems::add);
      Thread opener = port.opener();
      port.close();
      assertThat(opener.join(Await.PATIENCE)).isTrue();
    }
    try (StandingPort next = on(number)) {
      next.open(true, problems::add);
      assertThat(next.number()).isEqualTo(number);
    }
  }

  private static StandingPort on(int port) {
    return new StandingPort(
        "pages",
        "somewhere",
        BindAddress.parse("127.0.0.1:" + port),
        Duration.ofMillis(5),
        request -> Response.text(200, "here"));
  }
}
