package dev.portolan.text;

import dev.portolan.core.text.Quotes;
import java.io.Reader;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
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
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Reads a YAML text, and says what a person did wrong in it. */
final class YamlReader {
  /**
   * The parser copies what it has of a text for each buffer that it reads on, so a small buffer
   * makes long texts slow.
   */
  private static final int LARGEST_BUFFER = 1 << 20;

  /** No field is nearly as long, and the parser takes many times as much memory to read it. */
  static final int LONGEST_VALUE = 4 << 20;

  /** What replaces a longer value in a message. */
  static final String TOO_LONG = "longer than 4 MiB, which no field is";

  private final String what;
  private final String text;
  private final TreeBuilder tree;
  private int line = 1;
  private int column = 1;

  private YamlReader(String what, String text, TreeBuilder tree) {
    this.what = what;
    this.text = text;
    this.tree = tree;
  }

  /**
   * Hands {@code text} to {@code tree}; throws what {@link TreeBuilder#wrong} makes of a mistake.
   *
   * @param what the text is, for messages: {@code a manifest}
   */
  static void read(String what, String text, TreeBuilder tree) {
    new YamlReader(what, text, tree).read();
  }

  private void read() {
    try {
      run();
    } catch (ReaderException e) {
      throw forbidden(e);
    } catch (MarkedYamlEngineException e) {
      throw invalid(e);
    } catch (TooLong e) {
      // It begins after what was read last.
      throw tree.wrong(line, column, TOO_LONG);
    } catch (BrokenParser e) {
      throw tree.wrong(e.line, e.column, String.valueOf(e.getMessage()));
    } catch (YamlEngineException e) {
      // It does not say where: after what was read last.
      throw tree.wrong(
          line, column, "not valid YAML: " + Quotes.brief(String.valueOf(e.getMessage())));
    }
  }

  private void run() {
    LoadSettings settings =
        LoadSettings.builder()
            .setBufferSize(Math.clamp(text.length(), 16, LARGEST_BUFFER))
            .setCodePointLimit(Integer.MAX_VALUE)
            .build();
    Pieces pieces = new Pieces(text, tree::reached);
    StreamReader reader = new StreamReader(settings, pieces);
    Iterator<Event> parsed = new ParserImpl(settings, reader);
    while (true) {
      Event event = next(parsed, reader);
      pieces.begin();
      if (event == null) {
        return;
      }
      take(event);
    }
  }

  /** The next event, or null at the end; whatever the parser throws is a mistake in the text. */
  private static @Nullable Event next(Iterator<Event> parsed, StreamReader reader) {
    try {
      return parsed.hasNext() ? parsed.next() : null;
    } catch (YamlEngineException | TooLong e) {
      throw e;
    } catch (NumberFormatException e) {
      // It looks at the digits of an escape that are there, and at no more.
      throw new BrokenParser(
          reader,
          "not valid YAML: an escape needs the digits of a character: \\x two, \\u four, \\U eight of at most"
              + " 0010FFFF");
    } catch (RuntimeException e) {
      throw new BrokenParser(
          reader, "not valid YAML: the parser fails here: " + Quotes.brief(e.toString()));
    }
  }

  /** The parser gave up without a sentence of its own, when it had read up to this place. */
  private static final class BrokenParser extends RuntimeException {
    private final int line;
    private final int column;

    private BrokenParser(StreamReader reader, String problem) {
      super(problem);
      line = reader.getLine() + 1;
      column = reader.getColumn() + 1;
    }
  }

  private void take(Event event) {
    Mark mark = event.getStartMark().orElseThrow();
    line = mark.getLine() + 1;
    column = mark.getColumn() + 1;
    switch (event) {
      case DocumentStartEvent start -> tree.startDocument(line, column);
      case ScalarEvent scalar -> {
        if (scalar.getValue().length() > LONGEST_VALUE) {
          throw tree.wrong(line, column, TOO_LONG);
        }
        tree.scalar(
            scalar.getValue(),
            !scalar.isPlain(),
            tag(scalar.getTag()),
            name(scalar.getAnchor()),
            line,
            column);
      }
      case MappingStartEvent start ->
          tree.mapping(tag(start.getTag()), name(start.getAnchor()), line, column);
      case SequenceStartEvent start ->
          tree.sequence(tag(start.getTag()), name(start.getAnchor()), line, column);
      case MappingEndEvent end -> tree.end();
      case SequenceEndEvent end -> tree.end();
      case AliasEvent alias -> tree.alias(alias.getAlias().getValue(), line, column);
      case DocumentEndEvent end -> tree.endDocument();
      default -> {}
    }
  }

  private RuntimeException invalid(MarkedYamlEngineException e) {
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
    return Quotes.brief(problem) + (context == null ? "" : " (" + Quotes.brief(context) + ")");
  }

  private RuntimeException forbidden(ReaderException e) {
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
            Locale.ROOT,
            "the character U+%04X is not allowed in %s; remove it, or write it as an escape in"
                + " double quotes",
            e.getCodePoint(),
            what));
  }

  private static @Nullable String name(Optional<Anchor> anchor) {
    return anchor.map(Anchor::getValue).orElse(null);
  }

  private static @Nullable String tag(Optional<String> tag) {
    return tag.orElse(null);
  }

  /** The parser asks for more and more of the text, and makes nothing of it. */
  private static final class TooLong extends RuntimeException {}

  /**
   * Hands a text to the parser in pieces that end before a forbidden character: the parser refuses
   * a piece as a whole, and should have read all that is before the character by then. It is handed
   * no more than it takes to find that a value is too long.
   */
  private static final class Pieces extends Reader {
    private final String text;
    private final IntConsumer reached;
    private int position;
    private int begun;

    private Pieces(String text, IntConsumer reached) {
      this.text = text;
      this.reached = reached;
    }

    /** A value begins, where the parser is. */
    private void begin() {
      begun = position;
    }

    @Override
    public int read(char[] buffer, int offset, int length) {
      if (position - begun > LONGEST_VALUE) {
        throw new TooLong();
      }
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
      reached.accept(position);
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
