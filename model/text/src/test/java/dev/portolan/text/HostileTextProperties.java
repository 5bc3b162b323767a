package dev.portolan.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever a text holds, it is read, or a sentence with a place says what is wrong with it. */
class HostileTextProperties {
  private static final String DIGITS =
      "an escape needs the digits of a character: \\x two, \\u four, \\U eight of at most 0010FFFF";

  private static final List<String> PIECES =
      List.of(
          "\"",
          "'",
          "\\",
          "\\u",
          "\\x",
          "\\U",
          "\\UFFFFFFFF",
          "\\U00110000",
          "\\ud800",
          "\\x-1",
          "\\u+12f",
          "\\N",
          "\\\n",
          "0",
          "f",
          "a",
          "ä",
          "\ud83d\ude00",
          "\ud800",
          "\u0085",
          "\u2028",
          "\ufeff",
          "\u0000",
          "\t",
          "\r",
          "\n",
          "\n",
          " ",
          "  ",
          ":",
          ": ",
          "- ",
          "? ",
          ",",
          "[",
          "]",
          "{",
          "}",
          "&",
          "*",
          "&a ",
          "*a",
          "!",
          "!!str ",
          "!<",
          "!%",
          "!%ff",
          "%YAML 9.9\n",
          "%YAML 99999999999.1\n",
          "%TAG ! ",
          "%",
          "---",
          "--- ",
          "...",
          "|",
          ">",
          "|9",
          "|+",
          ">-1",
          "|0",
          "<<",
          "#",
          " # ",
          "@",
          "`",
          "~",
          "kind: Service\n");

  private final Random random = new Random();

  /** Says where a text is wrong, as a configuration does. */
  private static final class WrongPlace extends RuntimeException {
    private WrongPlace(FilePosition place, String sentence) {
      super(place.line() + ":" + place.column() + ": " + sentence);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"\\u                     | 1:4",
        "\"\\x                     | 1:4",
        "\"\\U                     | 1:4",
        "a: b~c: \"\\UFFFFFFFF\"   | 2:7",
        "--- # x~{}~---~c: \"d~ \\U80000000\" | 5:4"
      })
  void anEscapeWithoutACharacterIsNamedWithItsPlace(String lines, String place) {
    String text = lines.replace('~', '\n');
    assertThatExceptionOfType(TextException.class)
        .isThrownBy(() -> Documents.read("f", text))
        .withMessageStartingWith("f:" + place + ": ")
        .withMessageEndingWith("not valid YAML: " + DIGITS);
  }

  @ParameterizedTest
  @CsvSource({"\"\\u, 1:4", "\"\\UFFFFFFFF\", 1:4"})
  void soItIsInAConfiguration(String text, String place) {
    assertThatExceptionOfType(WrongPlace.class)
        .isThrownBy(() -> WrittenDocument.read("a configuration", text, WrongPlace::new))
        .withMessage(place + ": not valid YAML: " + DIGITS);
  }

  @Property(tries = 20_000)
  void whateverPiecesComeNothingElseIsThrown(@ForAll long seed) {
    random.setSeed(seed);
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(1, 12); i > 0; i--) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    assertOnlySentences(text.toString().getBytes(UTF_8));
  }

  @Property(tries = 5_000)
  void whateverBytesComeNothingElseIsThrown(@ForAll byte[] bytes) {
    assertOnlySentences(bytes);
  }

  /** A text that is cut off, or changed at one place, as by a user. */
  @Property(tries = 5_000)
  void aTextThatIsDamagedIsAMistakeAtMost(@ForAll long seed) {
    random.setSeed(seed);
    byte[] whole =
        """
        # A comment
        kind: "Service\\u0041\\x41\\U00000041\\n"
        metadata: {name: 'a', labels: &l {b: c}}
        spec:
          ports:
          - port: 80
            name: |-
              text
          - *l
        --- !!map
        ? [x]
        : >
          y
        ...
        """
            .getBytes(UTF_8);
    byte[] bytes = java.util.Arrays.copyOf(whole, random.nextInt(1, whole.length + 1));
    for (int i = random.nextInt(3); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(128);
    }
    assertOnlySentences(bytes);
  }

  /** A mistake of which the parser does not say where it is. */
  @Test
  void whatWasReadLastIsThePlaceOfAMistakeWithoutOne() {
    String text = "---\na: b\n---\nk:\n         l: \"\n text: {\"a\"}\n- p: q\n";
    assertThatExceptionOfType(TextException.class)
        .isThrownBy(() -> Documents.read("f", text))
        .withMessageStartingWith("f:5:13: k: not valid YAML: A simple key is required");
  }

  /**
   * So many that a step which looks at the whole text for each would not end within the timeout;
   * one that looks at each once ends in a small part of it.
   */
  @Test
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void manyValuesAreReadInOnePass() {
    String list = "- \"a\"\n- 'b'\n- c\n".repeat(200_000);
    assertThat(Documents.read("f", list))
        .singleElement()
        .isInstanceOfSatisfying(
            Value.Sequence.class, read -> assertThat(read.items()).hasSize(600_000));
    String documents = "---\na: {b: c}\n".repeat(100_000);
    assertThat(Documents.read("f", documents)).hasSize(100_000);
  }

  private static void assertOnlySentences(byte[] bytes) {
    try {
      Documents.read("f", FileText.decode("f", bytes));
    } catch (TextException e) {
      assertThat(e).hasMessageMatching("(?s)f:\\d+:\\d+: .+");
    }
    try {
      WrittenDocument.read("a configuration", new String(bytes, UTF_8), WrongPlace::new);
    } catch (WrongPlace e) {
      assertThat(e).hasMessageMatching("(?s)\\d+:\\d+: .+");
    }
  }
}
