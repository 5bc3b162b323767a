package dev.portolan.telemetry.log;

import dev.portolan.core.text.GoDuration;
import java.time.Duration;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Values as both formats write them: numbers and truths as they are, lists in brackets, everything
 * else in quotes. Whatever a value holds, it stays within the line and within a bounded length.
 */
final class LogValues {
  private static final int LONGEST = 8192;

  private LogValues() {}

  /** Adds a value. */
  static void write(StringBuilder to, @Nullable Object value) {
    switch (value) {
      case null -> to.append("null");
      case Boolean truth -> to.append(truth);
      case Integer number -> to.append(number);
      case Long number -> to.append(number);
      case Short number -> to.append(number);
      case Double number when Double.isFinite(number) -> to.append(number);
      case Float number when Float.isFinite(number) -> to.append(number);
      case Iterable<?> list -> list(to, list);
      case Duration duration -> quote(to, GoDuration.format(duration));
      case Throwable cause -> quote(to, words(cause));
      default -> quote(to, text(value));
    }
  }

  /** Adds a text in quotes, with everything escaped that is not plainly visible. */
  static void quote(StringBuilder to, String text) {
    to.append('"');
    int end = Math.min(text.length(), LONGEST);
    for (int i = 0; i < end; i++) {
      character(to, text, i);
    }
    if (end < text.length()) {
      to.append("... (").append(text.length() - end).append(" more characters)");
    }
    to.append('"');
  }

  private static void list(StringBuilder to, Iterable<?> list) {
    int start = to.length();
    to.append('[');
    Iterator<?> items = list.iterator();
    while (items.hasNext()) {
      if (to.length() - start > LONGEST) {
        to.append("\"... (more)\"");
        break;
      }
      write(to, items.next());
      if (items.hasNext()) {
        to.append(',');
      }
    }
    to.append(']');
  }

  private static String words(Throwable cause) {
    String message = cause.getMessage();
    return message == null || message.isBlank() ? cause.getClass().getName() : message;
  }

  private static String text(Object value) {
    try {
      return value.toString();
    } catch (RuntimeException e) {
      return "<" + value.getClass().getName() + " cannot be shown: " + e + ">";
    }
  }

  private static void character(StringBuilder to, String text, int at) {
    char c = text.charAt(at);
    switch (c) {
      case '"' -> to.append("\\\"");
      case '\\' -> to.append("\\\\");
      case '\n' -> to.append("\\n");
      case '\r' -> to.append("\\r");
      case '\t' -> to.append("\\t");
      default -> {
        if (isVisible(text, at)) {
          to.append(c);
        } else {
          to.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
        }
      }
    }
  }

  private static boolean isVisible(String text, int at) {
    char c = text.charAt(at);
    if (c >= ' ' && c < 0x7f) {
      return true;
    }
    int point = c;
    if (Character.isHighSurrogate(c)) {
      point = text.codePointAt(at);
    } else if (Character.isLowSurrogate(c) && at > 0) {
      point = text.codePointAt(at - 1);
    }
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
