package dev.portolan.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A client can neither fill the log nor keep lines about others out of it. */
final class ClientLinesTest {
  private final List<String> lines = new ArrayList<>();
  private long now;
  private final ClientLines clients = new ClientLines(lines::add, () -> now);

  private void pass(int seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void aClientHasOneLineAMinuteWithTheNumberOfThoseBetween() {
    for (int i = 1; i <= 1_000; i++) {
      clients.say("10.0.0.1:" + i, "line " + i);
    }
    pass(59);
    clients.say("10.0.0.1:1", "too soon");
    pass(1);
    clients.say("10.0.0.1:1", "a minute later");
    pass(60);
    clients.say("10.0.0.1:1", "two minutes later");

    assertThat(lines)
        .containsExactly(
            "line 1",
            "a minute later; 1000 more since the last line about this client",
            "two minutes later");
  }

  @Test
  void aClientIsAnAddressWhateverItsNameAndPort() {
    clients.say("10.0.0.1:1", "an address");
    clients.say("system:node:n1 at 10.0.0.1:2", "the same, with a certificate");
    clients.say("10.0.0.2:1", "another address");
    clients.say("0:0:0:0:0:0:0:1:1", "an address of IPv6");
    clients.say("0:0:0:0:0:0:0:1:2", "the same");
    clients.say("0:0:0:0:0:0:0:2:1", "another of IPv6");
    clients.say("unix socket", "a unix socket");
    clients.say("unix socket", "another client there");

    assertThat(lines)
        .containsExactly(
            "an address",
            "another address",
            "an address of IPv6",
            "another of IPv6",
            "a unix socket");
  }

  @Test
  void aMillionAddressesTakeNeitherMemoryNorTheLog() {
    for (int i = 0; i < 1_000_000; i++) {
      clients.say("10.%d.%d.%d:1".formatted(i >> 16, i >> 8 & 255, i & 255), "line " + i);
    }
    assertThat(lines)
        .hasSize(ClientLines.MOST_CLIENTS + 1)
        .last()
        .isEqualTo("line " + ClientLines.MOST_CLIENTS);

    pass(30);
    clients.say("10.0.0.0:1", "one that is known");
    pass(30);
    clients.say("10.0.0.0:1", "it has a line again");
    clients.say("11.0.0.0:1", "and so has a new one");
    assertThat(lines)
        .endsWith(
            "it has a line again; 1 more since the last line about this client",
            "and so has a new one");
  }

  @Test
  void thoseForWhomThereIsNoRoomShareALine() {
    for (int i = 0; i < ClientLines.MOST_CLIENTS; i++) {
      clients.say("10.0.%d.%d:1".formatted(i >> 8, i & 255), "line " + i);
    }
    pass(30);
    clients.say("11.0.0.1:1", "first");
    clients.say("11.0.0.2:1", "second");
    pass(30);
    for (int i = 0; i < ClientLines.MOST_CLIENTS; i++) {
      clients.say("10.0.%d.%d:1".formatted(i >> 8, i & 255), "again " + i);
    }
    pass(30);
    clients.say("11.0.0.3:1", "third");

    assertThat(lines)
        .contains("first")
        .doesNotContain("second")
        .last()
        .isEqualTo("third; 1 more since the last line about other clients");
  }
}
