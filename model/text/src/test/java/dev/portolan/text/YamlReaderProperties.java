package dev.portolan.text;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Documents are read alike by the quick way and by the parser of all of YAML. */
class YamlReaderProperties {
  private static final List<String> WORDS =
      List.of(
          "a",
          "b:",
          "b: ",
          "c: d",
          "e/f.g-h: 1",
          "- ",
          "-",
          "- x",
          "-1",
          "key: -2",
          "i: {}",
          "j: []",
          "k: \"q\"",
          "l: 'r'",
          "m: \"\\n\"",
          "n: |",
          "o: |-",
          "p: >",
          "q: # c",
          "r: s # t",
          "u#v",
          "http://w",
          "x: y: z",
          "&a b",
          "*a",
          "!t u",
          "~",
          "...",
          "%x",
          "\t",
          "ä",
          "\r",
          "{a: b}",
          "[c, d]",
          "'",
          "\"",
          "? k",
          "---",
          "--- d",
          "---x",
          "#",
          " # c",
          "<<: *a",
          "g :",
          "h:i",
          "\u0007",
          "\u2028",
          "null",
          "j: ~",
          "- k: v",
          "- - w",
          "l: 'it''s'",
          "m: 1:2",
          "n: a  b ");

  private final Random random = new Random();

  /** Notes what it is handed. */
  private static final class Notes implements YamlEvents {
    private final List<String> notes = new ArrayList<>();

    private static final class Wrong extends RuntimeException {
      private Wrong(String sentence) {
        super(sentence);
      }
    }

    static List<String> of(boolean quickly, String text) {
      Notes events = new Notes();
      try {
        if (quickly) {
          YamlReader.read("a text", text, events);
        } else {
          YamlReader.readAll("a text", text, events);
        }
      } catch (Wrong e) {
        events.notes.add(e.getMessage());
      }
      return events.notes;
    }

    private void note(int line, int column, @Nullable Object... words) {
      notes.add(line + ":" + column + " " + java.util.Arrays.asList(words));
    }

    @Override
    public void startDocument(int line, int column) {
      note(line, column, "document");
    }

    @Override
    public void mapping(@Nullable String tag, @Nullable String anchor, int line, int column) {
      note(line, column, "mapping", tag, anchor);
    }

    @Override
    public void sequence(@Nullable String tag, @Nullable String anchor, int line, int column) {
      note(line, column, "sequence", tag, anchor);
    }

    @Override
    public void end() {
      notes.add("end");
    }

    @Override
    public void scalar(
        String text,
        boolean quoted,
        @Nullable String tag,
        @Nullable String anchor,
        int line,
        int column) {
      note(line, column, "scalar", text, quoted, tag, anchor);
    }

    @Override
    public void alias(String anchor, int line, int column) {
      note(line, column, "alias", anchor);
    }

    @Override
    public void endDocument() {
      notes.add("end of document");
    }

    @Override
    public RuntimeException wrong(int line, int column, String text) {
      return new Wrong(line + ":" + column + " " + text);
    }
  }

  private String text(int lines) {
    StringBuilder text = new StringBuilder();
    int indent = 0;
    for (int i = 0; i < lines; i++) {
      indent =
          Math.max(0, indent + List.of(-4, -2, -2, 0, 0, 0, 0, 1, 2, 2).get(random.nextInt(10)));
      boolean separator = random.nextInt(12) == 0;
      text.append(separator ? "---" : " ".repeat(indent) + word());
      if (separator) {
        indent = 0;
      }
      if (random.nextInt(40) != 0 && (i + 1 < lines || random.nextBoolean())) {
        text.append('\n');
      }
    }
    return text.toString();
  }

  private String word() {
    // Mostly of those that programs print, so that whole documents of them come about.
    return random.nextInt(4) == 0
        ? WORDS.get(random.nextInt(WORDS.size()))
        : List.of("k" + random.nextInt(5) + ":", "- i", "- k: v", "a: b", "c: \"d\"", "t: |")
            .get(random.nextInt(6));
  }

  @Property(tries = 20_000)
  void anyLinesAreReadAlike(@ForAll long seed) {
    random.setSeed(seed);
    String text = text(1 + random.nextInt(10));
    assertThat(Notes.of(true, text)).as(text).isEqualTo(Notes.of(false, text));
  }

  /** Structure that grows as programs print it, with one line in a while of another kind. */
  @Property(tries = 5_000)
  void whatProgramsPrintIsReadAlike(@ForAll long seed) {
    random.setSeed(seed);
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      text.append("---\n");
      mapping(text, 0, 0);
    }
    assertThat(Notes.of(true, text.toString()))
        .as(text.toString())
        .isEqualTo(Notes.of(false, text.toString()));
  }

  private void mapping(StringBuilder text, int indent, int depth) {
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      text.append(" ".repeat(indent)).append("key-").append(i).append(':');
      switch (depth > 4 ? 9 : random.nextInt(12)) {
        case 0, 1 -> {
          text.append('\n');
          mapping(text, indent + random.nextInt(1, 4), depth + 1);
        }
        case 2, 3 -> {
          text.append('\n');
          int list = indent + 2 * random.nextInt(2);
          for (int j = random.nextInt(1, 4); j > 0; j--) {
            text.append(" ".repeat(list)).append("- ");
            StringBuilder item = new StringBuilder();
            mapping(item, list + 2, depth + 1);
            text.append(item, list + 2, item.length());
          }
        }
        case 4 -> text.append(" |\n").append(" ".repeat(indent + 1)).append("text: {\"a\"}\n");
        case 5 -> text.append('\n');
        case 6 -> text.append(' ').append(WORDS.get(random.nextInt(WORDS.size()))).append('\n');
        default -> text.append(" value-").append(i).append('\n');
      }
    }
  }

  /** A mistake of which the parser does not say where it is. */
  @Test
  void whatWasReadLastIsThePlaceOfAMistakeWithoutOne() {
    String text = "---\na: b\n---\nk:\n         l: \"\n text: {\"a\"}\n- p: q\n";
    assertThat(Notes.of(true, text))
        .isEqualTo(Notes.of(false, text))
        .last(as(STRING))
        .startsWith("5:13 not valid YAML: A simple key is required");
  }

  @Test
  void theFilesOfThisProjectAreReadAlike() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of("..", ".."))) {
      files =
          all.filter(file -> file.toString().endsWith(".yaml"))
              .filter(file -> !file.toString().contains("/target/"))
              .toList();
    }
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      String text = Files.readString(file);
      assertThat(Notes.of(true, text)).as(file.toString()).isEqualTo(Notes.of(false, text));
    }
  }

  /**
   * So many that a step which looks at the whole text for each would not end within the timeout;
   * one that looks at each once ends in a small part of it.
   */
  @Test
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void manyValuesAreReadInOnePass() {
    String text = "- \"a\"\n- 'b'\n- c\n".repeat(200_000);
    assertThat(Notes.of(true, text)).hasSize(600_004);
  }
}
