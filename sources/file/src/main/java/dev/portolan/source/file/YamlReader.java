package dev.portolan.source.file;

import dev.portolan.source.file.Value.Scalar;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads the documents of a YAML text. */
final class YamlReader {
  /**
   * The parser copies what it has of a text for each buffer that it reads on, so a small buffer
   * makes long texts slow.
   */
  private static final int LARGEST_BUFFER = 1 << 20;

  private final String text;
  private final TreeBuilder tree;
  private final List<Value> documents = new ArrayList<>();

  private YamlReader(String file, String text) {
    this.text = text;
    this.tree = new TreeBuilder(file);
  }

  /** The documents in {@code text}, without those that are empty. */
  static List<Value> read(String file, String text) {
    YamlReader reader = new YamlReader(file, text);
    try {
      reader.run();
    } catch (ReaderException e) {
      throw reader.forbidden(e);
    } catch (MarkedYamlEngineException e) {
      throw reader.invalid(e);
    } catch (YamlEngineException e) {
      throw reader.tree.wrong(
          1, 1, "not valid YAML: " + Finding.brief(String.valueOf(e.getMessage())));
    }
    return reader.documents;
  }

  private void run() {
    LoadSettings settings =
        LoadSettings.builder()
            .setBufferSize(Math.clamp(text.length(), 16, LARGEST_BUFFER))
            .setCodePointLimit(Integer.MAX_VALUE)
            .build();
    Iterator<Event> events = new Parse(settings).parseReader(new Pieces(text)).iterator();
    while (events.hasNext()) {
      take(events.next());
    }
  }

  private void take(Event event) {
    Mark mark = event.getStartMark().orElseThrow();
    int line = mark.getLine() + 1;
    int column = mark.getColumn() + 1;
    switch (event) {
      case ScalarEvent scalar ->
          tree.scalar(
              new Scalar(scalar.getValue(), !scalar.isPlain(), tag(scalar.getTag()), line, column),
              name(scalar.getAnchor()));
      case MappingStartEvent start ->
          tree.mapping(tag(start.getTag()), name(start.getAnchor()), line, column);
      case SequenceStartEvent start ->
          tree.sequence(tag(start.getTag()), name(start.getAnchor()), line, column);
      case MappingEndEvent end -> tree.end();
      case SequenceEndEvent end -> tree.end();
      case AliasEvent alias -> tree.alias(alias.getAlias().getValue(), line, column);
      case DocumentEndEvent end -> {
        Value document = tree.take();
        if (document != null) {
          documents.add(document);
        }
      }
      default -> {}
    }
  }

  private ManifestException invalid(MarkedYamlEngineException e) {
    Optional<Mark> mark = e.getProblemMark().or(e::getContextMark);
    return tree.wrong(
        mark.map(Mark::getLine).orElse(0) + 1,
        mark.map(Mark::getColumn).orElse(0) + 1,
        "not valid YAML: " + explain(String.valueOf(e.getProblem()), e.getContext()));
  }

  /** Says what a person did where the parser says what it missed. */
  private static String explain(String problem, @Nullable String context) {
    if (problem.startsWith("expected <block end>")) {
      return "the indentation does not match the lines above; align it with them";
    }
    if (problem.startsWith("mapping values are not allowed")) {
      return "'key: value' is not allowed here; check the indentation, or quote text that contains"
          + " ': '";
    }
    if (problem.contains("(TAB)")) {
      return "tabs are not allowed here; indent with spaces";
    }
    return Finding.brief(problem) + (context == null ? "" : " (" + Finding.brief(context) + ")");
  }

  private ManifestException forbidden(ReaderException e) {
    int end =
        text.offsetByCodePoints(
            0, Math.min(e.getPosition(), text.codePointCount(0, text.length())));
    int line = 1;
    int start = 0;
    for (int i = text.indexOf('\n'); i >= 0 && i < end; i = text.indexOf('\n', i + 1)) {
      line++;
      start = i + 1;
    }
    return tree.wrong(
        line,
        end - start + 1,
        String.format(
            "the character U+%04X is not allowed in a manifest; remove it, or write it as an escape"
                + " in double quotes",
            e.getCodePoint()));
  }

  private static @Nullable String name(Optional<Anchor> anchor) {
    return anchor.map(Anchor::getValue).orElse(null);
  }

  private static @Nullable String tag(Optional<String> tag) {
    return tag.orElse(null);
  }

  /**
   * Hands a text to the parser in pieces that end before a forbidden character: the parser refuses
   * a piece as a whole, and should have read all that is before the character by then.
   */
  private static final class Pieces extends Reader {
    private final String text;
    private int position;

    private Pieces(String text) {
      this.text = text;
    }

    @Override
    public int read(char[] buffer, int offset, int length) {
      if (position == text.length()) {
        return -1;
      }
      int end = position + 1;
      int last = Math.min(text.length(), position + length);
      while (end < last && !isForbidden(text.charAt(end))) {
        end++;
      }
      text.getChars(position, end, buffer, offset);
      int count = end - position;
      position = end;
      return count;
    }

    private static boolean isForbidden(char c) {
      return (c < ' ' && c != '\t' && c != '\n' && c != '\r') || (c > '~' && c < 0xa0);
    }

    @Override
    public void close() {}
  }
}
