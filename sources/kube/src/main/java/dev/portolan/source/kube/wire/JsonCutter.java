package dev.portolan.source.kube.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Cuts the values out of a stream of JSON, without looking into them. */
final class JsonCutter {
  private final InputBuffer in;

  JsonCutter(InputBuffer in) {
    this.in = in;
  }

  /** The next byte that is not a space, without taking it; -1 at the end of the stream. */
  int peek() throws IOException {
    while (in.has(1)) {
      byte next = in.at(0);
      if (!isSpace(next)) {
        return next & 0xff;
      }
      in.take(1);
    }
    return -1;
  }

  /** Takes {@code wanted} if it comes next. */
  boolean takes(char wanted) throws IOException {
    boolean found = peek() == wanted;
    if (found) {
      in.take(1);
    }
    return found;
  }

  /** Takes {@code wanted}, which must come next. */
  void expect(char wanted) throws IOException {
    if (!takes(wanted)) {
      int found = peek();
      throw found < 0
          ? DecodeException.truncated()
          : new DecodeException("not valid JSON: expected '" + wanted + "'");
    }
  }

  /** The next value, whole. */
  String value() throws IOException {
    if (peek() < 0) {
      throw DecodeException.truncated();
    }
    int length = length();
    String value = new String(in.bytes(), in.position(), length, StandardCharsets.UTF_8);
    in.take(length);
    return value;
  }

  private int length() throws IOException {
    int depth = 0;
    boolean quoted = false;
    for (int i = 0; ; i++) {
      in.need(i + 1L);
      byte next = in.at(i);
      if (quoted) {
        if (next == '\\') {
          i++;
        } else if (next == '"') {
          quoted = false;
          if (depth == 0) {
            return i + 1;
          }
        }
        continue;
      }
      switch (next) {
        case '"' -> quoted = true;
        case '{', '[' -> depth++;
        case '}', ']' -> {
          depth--;
          if (depth <= 0) {
            return depth == 0 ? i + 1 : scalar(i);
          }
        }
        default -> {
          if (depth == 0 && (next == ',' || next == ':' || isSpace(next))) {
            return scalar(i);
          }
        }
      }
    }
  }

  /** The length of a value that is neither object, list nor text: it ends where the next begins. */
  private static int scalar(int length) throws DecodeException {
    if (length == 0) {
      throw new DecodeException("not valid JSON: expected a value");
    }
    return length;
  }

  private static boolean isSpace(byte next) {
    return next == ' ' || next == '\n' || next == '\r' || next == '\t';
  }
}
