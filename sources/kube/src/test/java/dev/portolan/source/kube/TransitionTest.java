package dev.portolan.source.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.source.kube.Transition.Memory;
import dev.portolan.source.kube.wire.ApiStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The table of phases. {@code refused} is an answer to a request, {@code ended} an error in a watch
 * that was running; the third column has what else counts.
 */
class TransitionTest {
  @ParameterizedTest(name = "{0}, {1} ({2}) -> {3}, {4}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # phase         | outcome               | memory             | next           | how

          # All is well.
          list            | synced 7              | -                  | watch 7        | at once
          list            | synced 7              | 4 failures         | watch 7        | at once
          watch 7         | synced 9              | -                  | watch 9        | at once
          verify 7        | server at 7           | 4 failures         | watch 7        | at once
          verify 7        | server at 9           | -                  | watch 7        | at once

          # The server gives no version to watch from.
          watch 7         | synced                | -                  | list           | at once
          list            | synced                | -                  | list           | at once

          # The server refuses: ask again.
          list            | refused 400           | -                  | list           | back off
          list            | refused 403           | -                  | list           | back off
          watch 7         | refused 400           | -                  | watch 7        | back off
          watch 7         | refused 403           | -                  | watch 7        | back off
          list            | ended 403             | -                  | list           | back off

          # The server does not have the resource.
          list            | refused 404           | optional           | absent         | at once
          watch 7         | refused 404           | optional           | absent         | at once
          verify 7        | refused 404           | optional           | absent         | at once
          watch 7         | ended 404             | optional           | absent         | at once
          list            | refused 404           | -                  | list           | back off
          watch 7         | refused 404           | -                  | watch 7        | back off
          absent          | waited                | -                  | list           | at once

          # The server no longer keeps the version: read everything, but not in a tight loop.
          watch 7         | refused 410           | -                  | list           | error, at once
          watch 7         | ended 410             | -                  | list           | error, at once
          watch 7         | ended 410             | expired recently   | list           | back off
          list            | ended 410             | -                  | list           | error, at once
          list            | refused 410           | expired recently   | list           | back off
          list            | refused 410           | -                  | list           | error, at once

          # The server went back to an earlier version, as after a restore.
          verify 7        | server at 5           | -                  | list           | at once

          # The server ended a watch: read everything, unless it is only busy.
          watch 7         | ended 500             | -                  | list           | back off
          watch 7         | ended 429             | -                  | watch 7        | back off

          # The server may have been restarted: verify the version.
          watch 7         | refused 503           | -                  | verify 7       | back off
          verify 7        | refused 503           | -                  | verify 7       | back off
          list            | refused 503           | -                  | list           | back off
          watch 7         | disconnected          | -                  | verify 7       | back off
          verify 7        | disconnected          | 9 failures         | verify 7       | back off
          list            | disconnected          | -                  | list           | back off
          watch 7         | silent                | -                  | verify 7       | back off, reconnect
          verify 7        | silent                | -                  | verify 7       | back off, reconnect
          list            | silent                | -                  | list           | back off, reconnect

          # Bytes that make no sense: the third time in a row, read everything.
          watch 7         | garbled               | -                  | verify 7       | back off
          verify 7        | garbled               | 1 failures         | verify 7       | back off
          watch 7         | garbled               | 2 failures         | list           | back off
          verify 7        | garbled               | 2 failures         | list           | back off
          list            | garbled               | 2 failures         | list           | back off

          # The server asks for a pause.
          watch 7         | refused 429           | -                  | watch 7        | back off
          watch 7         | refused 429 after 7   | -                  | watch 7        | back off, at least 7 s
          watch 7         | refused 503 after 7   | -                  | verify 7       | back off, at least 7 s
          list            | refused 429 after 999 | -                  | list           | back off, at least 300 s
          """)
  void leadsTo(
      String phase, String outcome, @Nullable String memory, String next, String expected) {
    Transition transition =
        Transition.next(phase(phase), outcome(outcome), memory(memory == null ? "" : memory));
    assertThat(transition.next()).isEqualTo(phase(next));
    assertThat(describe(transition)).isEqualTo(expected);
  }

  private static Phase phase(String text) {
    List<String> words = List.of(text.split(" "));
    return switch (words.getFirst()) {
      case "list" -> new Phase.List();
      case "watch" -> new Phase.Watch(words.get(1));
      case "verify" -> new Phase.Verify(words.get(1));
      case "absent" -> new Phase.Absent();
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static WatchOutcome outcome(String text) {
    List<String> words = List.of(text.split(" "));
    return switch (words.getFirst()) {
      case "synced" -> new WatchOutcome.Synced(words.size() > 1 ? words.get(1) : "");
      case "server" -> new WatchOutcome.ServerAt(words.get(2));
      case "waited" -> new WatchOutcome.Waited();
      case "refused" -> new WatchOutcome.Refused(status(words), false);
      case "ended" -> new WatchOutcome.Refused(status(words), true);
      case "garbled" -> new WatchOutcome.Garbled();
      case "silent" -> new WatchOutcome.Silent();
      case "disconnected" -> new WatchOutcome.Disconnected();
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static ApiStatus status(List<String> words) {
    int after = words.size() > 2 ? Integer.parseInt(words.getLast()) : 0;
    return new ApiStatus(Integer.parseInt(words.get(1)), "", "", Duration.ofSeconds(after));
  }

  private static Memory memory(String text) {
    int failures = 0;
    List<String> words = new ArrayList<>();
    for (String word : text.isEmpty() ? new String[0] : text.split(", ")) {
      if (word.endsWith(" failures")) {
        failures = Integer.parseInt(word.replace(" failures", ""));
      } else {
        words.add(word);
      }
    }
    assertThat(words).isSubsetOf("optional", "expired recently");
    return new Memory(words.contains("optional"), failures, words.contains("expired recently"));
  }

  private static String describe(Transition transition) {
    StringJoiner words = new StringJoiner(", ");
    words.add(
        switch (transition.pace()) {
          case PROCEED -> "at once";
          case RETRY -> "error, at once";
          case BACK_OFF -> "back off";
        });
    if (transition.atLeast().isPositive()) {
      words.add("at least " + transition.atLeast().toSeconds() + " s");
    }
    if (transition.reconnect()) {
      words.add("reconnect");
    }
    return words.toString();
  }
}
