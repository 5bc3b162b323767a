package dev.portolan.text;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Reads the YAML that programs print: blocks of keys and items, one per line, in ASCII, without
 * anchors, tags, braces, escapes, or text that goes on in another line. That is most of what there
 * is of manifests, and several times as fast to read as all of YAML.
 *
 * <p>A document is read twice. The first pass checks whether it is of this kind; if not, nothing is
 * handed over, and {@link YamlReader} reads it with a full YAML parser. So this reports no
 * mistakes.
 */
final class PlainYaml {
  /** The longest key that YAML allows on a line. */
  private static final int LONGEST_KEY = 1024;

  /** Deeper than any object; one line may open them all, and each takes a piece of the stack. */
  private static final int DEEPEST = 100;

  /** How often progress is reported. */
  private static final int PIECE = 1 << 20;

  private static final int NONE = -1;

  private final String text;
  private final int end;

  /** Null while it is only looked whether the document is of this kind. */
  private final @Nullable YamlEvents events;

  private final Deque<Open> open = new ArrayDeque<>();
  private int next;
  private int line;
  private int reached;

  /** Where the line starts and ends that is read now. */
  private int start;

  private int stop;

  /** Where a value is missing so far: after its colon or dash; {@link #NONE} if nowhere. */
  private int missingLine = NONE;

  private int missingColumn;
  private boolean begun;

  /** A mapping or a list whose end was not seen yet, and its indentation. */
  private record Open(int indent, boolean isList) {}

  /** The document is not of this kind. */
  private static final class Other extends RuntimeException {
    private Other() {
      super("", null, false, false);
    }
  }

  private PlainYaml(String text, int from, int end, int line, @Nullable YamlEvents events) {
    this.text = text;
    this.next = from;
    this.reached = from;
    this.end = end;
    this.line = line;
    this.events = events;
  }

  /**
   * Hands the document in {@code text} from {@code from} to {@code end} to {@code events}, if it is
   * of this kind.
   *
   * @param line the number of its first line
   * @return whether it is
   */
  static boolean read(String text, int from, int end, int line, YamlEvents events) {
    try {
      new PlainYaml(text, from, end, line, null).run();
    } catch (Other e) {
      return false;
    }
    new PlainYaml(text, from, end, line, events).run();
    return true;
  }

  private void run() {
    boolean explicit = text.startsWith("---", next);
    if (explicit) {
      nextLine();
      require(blank(start + 3));
      begin(1);
    }
    while (next < end) {
      nextLine();
      int indent = 0;
      while (start + indent < stop && text.charAt(start + indent) == ' ') {
        indent++;
      }
      if (start + indent < stop && text.charAt(start + indent) != '#') {
        content(indent);
      }
    }
    require(begun || !explicit);
    require(!explicit || !open.isEmpty());
    fillMissing();
    while (!open.isEmpty()) {
      close();
    }
    if (begun && events != null) {
      events.endDocument();
    }
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new Other();
    }
  }

  private void nextLine() {
    start = next;
    int newline = text.indexOf('\n', start, end);
    stop = newline < 0 ? end : newline;
    next = Math.min(end, stop + 1);
    line++;
    if (events == null) {
      for (int i = start; i < stop; i++) {
        char c = text.charAt(i);
        require(c >= ' ' && c <= '~');
      }
    } else if (start - reached >= PIECE) {
      events.reached(start);
      reached = start;
    }
  }

  private void begin(int column) {
    if (!begun && events != null) {
      events.startDocument(line - 1, column);
    }
    begun = true;
  }

  /** A line with something at {@code indent}. */
  private void content(int indent) {
    begin(indent + 1);
    boolean dash = isDash(start + indent);
    if (missingLine != NONE) {
      Open parent = open.element();
      if (indent > parent.indent || (indent == parent.indent && dash && !parent.isList)) {
        missingLine = NONE;
        collection(indent);
        return;
      }
      fillMissing();
    }
    while (!open.isEmpty()
        && (open.element().indent > indent
            || (open.element().indent == indent && open.element().isList && !dash))) {
      close();
    }
    if (open.isEmpty()) {
      require(!closed);
      collection(indent);
      return;
    }
    Open top = open.element();
    require(top.indent == indent && top.isList == dash);
    if (dash) {
      item(indent);
    } else {
      entry(indent);
    }
  }

  /** Whether the outermost value has ended. */
  private boolean closed;

  private void close() {
    open.remove();
    closed = open.isEmpty();
    if (events != null) {
      events.end();
    }
  }

  private boolean isDash(int at) {
    return text.charAt(at) == '-' && (at + 1 == stop || text.charAt(at + 1) == ' ');
  }

  /** Starts a list or a mapping with its first item or key at {@code column}, counted from 0. */
  private void collection(int column) {
    boolean list = isDash(start + column);
    require(list || keyEnd(start + column) != NONE);
    require(open.size() < DEEPEST);
    open.push(new Open(column, list));
    if (list) {
      if (events != null) {
        events.sequence(null, null, line - 1, column + 1);
      }
      item(column);
    } else {
      if (events != null) {
        events.mapping(null, null, line - 1, column + 1);
      }
      entry(column);
    }
  }

  private void item(int column) {
    int at = start + column + 1;
    if (blank(at)) {
      miss(at);
      return;
    }
    at = skipSpaces(at);
    if (isDash(at) || keyEnd(at) != NONE) {
      collection(at - start);
    } else {
      scalar(at, column);
    }
  }

  private void entry(int column) {
    int at = start + column;
    int colon = keyEnd(at);
    require(colon != NONE);
    emit(text, at, colon, false, at);
    if (blank(colon + 1)) {
      miss(colon + 1);
    } else {
      scalar(skipSpaces(colon + 1), column);
    }
  }

  /** Where the colon is after the key at {@code at}; {@link #NONE} if there is no plain key. */
  private int keyEnd(int at) {
    int i = at;
    while (i < stop && isKeyCharacter(text.charAt(i))) {
      i++;
    }
    boolean key =
        i > at
            && i - at < LONGEST_KEY
            && text.charAt(at) != '-'
            && i < stop
            && text.charAt(i) == ':'
            && (i + 1 == stop || text.charAt(i + 1) == ' ');
    return key ? i : NONE;
  }

  private static boolean isKeyCharacter(char c) {
    return isLetterOrDigit(c) || c == '-' || c == '.' || c == '/' || c == '_';
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  private int skipSpaces(int at) {
    int i = at;
    while (i < stop && text.charAt(i) == ' ') {
      i++;
    }
    return i;
  }

  /** Whether nothing, or only a comment, follows from {@code at} on. */
  private boolean blank(int at) {
    int i = skipSpaces(at);
    return i >= stop || (text.charAt(i) == '#' && i > at);
  }

  /** A value that is missing so far: it may follow in the next lines. */
  private void miss(int at) {
    missingLine = line - 1;
    missingColumn = at - start + 1;
  }

  private void fillMissing() {
    if (missingLine != NONE) {
      if (events != null) {
        events.scalar("", false, null, null, missingLine, missingColumn);
      }
      missingLine = NONE;
    }
  }

  /** A value at {@code at}, in a line whose key or dash is at {@code indent}. */
  private void scalar(int at, int indent) {
    char first = text.charAt(at);
    switch (first) {
      case '"', '\'' -> quoted(at, first);
      case '{', '[' -> empty(at, first);
      case '|' -> block(at, indent);
      default -> plain(at, first);
    }
  }

  private void quoted(int at, char quote) {
    int close = text.indexOf(quote, at + 1, stop);
    require(close > 0 && blank(close + 1));
    require(quote == '\'' || text.indexOf('\\', at + 1, close) < 0);
    emit(text, at + 1, close, true, at);
  }

  private void empty(int at, char bracket) {
    require(at + 1 < stop && text.charAt(at + 1) == (bracket == '{' ? '}' : ']'));
    require(blank(at + 2));
    if (events != null) {
      int column = at - start + 1;
      if (bracket == '{') {
        events.mapping(null, null, line - 1, column);
      } else {
        events.sequence(null, null, line - 1, column);
      }
      events.end();
    }
  }

  private void plain(int at, char first) {
    char second = at + 1 < stop ? text.charAt(at + 1) : ' ';
    require(
        isLetterOrDigit(first)
            || first == '.'
            || first == '/'
            || first == '_'
            || first == '~'
            || first == '+'
            || (first == '-' && (isLetterOrDigit(second) || second == '.')));
    int last = at;
    for (int i = at; i < stop; i++) {
      char c = text.charAt(i);
      if (c == '#' && text.charAt(i - 1) == ' ') {
        break;
      }
      require(c != ':' || (i + 1 < stop && text.charAt(i + 1) != ' '));
      if (c != ' ') {
        last = i;
      }
    }
    emit(text, at, last + 1, false, at);
  }

  /** A text in the lines that follow, further in than {@code indent}. */
  private void block(int at, int indent) {
    boolean stripped = at + 1 < stop && text.charAt(at + 1) == '-';
    require(at + (stripped ? 2 : 1) == stop);
    int column = at - start;
    int first = line - 1;
    StringBuilder lines = new StringBuilder();
    int depth = NONE;
    while (next < end) {
      int content = next;
      while (content < end && text.charAt(content) == ' ') {
        content++;
      }
      require(content < end && text.charAt(content) != '\n');
      if (depth == NONE) {
        depth = content - next;
        require(depth > indent);
      }
      if (content - next < depth) {
        break;
      }
      nextLine();
      require(stop < end && text.charAt(stop) == '\n');
      require(lines.length() + stop - start <= YamlReader.LONGEST_VALUE);
      lines.append(text, start + depth, stop + 1);
    }
    require(depth != NONE);
    if (stripped) {
      lines.setLength(lines.length() - 1);
    }
    if (events != null) {
      events.scalar(lines.toString(), true, null, null, first, column + 1);
    }
  }

  private void emit(String from, int begin, int until, boolean quoted, int at) {
    require(until - begin <= YamlReader.LONGEST_VALUE);
    if (events != null) {
      events.scalar(from.substring(begin, until), quoted, null, null, line - 1, at - start + 1);
    }
  }
}
