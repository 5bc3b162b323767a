package dev.portolan.source.kube.wire;

import static dev.portolan.core.text.Quotes.quote;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a protobuf message out of a piece of memory.
 *
 * <p>{@link #next} goes to the next field; a field that is not read is skipped, at no other cost.
 * {@link #enter} goes into a field that is a message itself, {@link #leave} out of it again. Values
 * that are well-formed but not supported are noted, see {@link #problem}; anything else that is
 * wrong is a {@link DecodeException}.
 */
final class WireReader {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int LENGTH = 2;
  private static final int FIXED_32 = 5;
  private static final int LONGEST_VARINT = 64;

  private final NamePool names;
  private byte[] bytes = new byte[0];
  private int position;
  private int end;
  private int field;
  private int type;
  private boolean unread;
  private @Nullable String problem;

  WireReader(NamePool names) {
    this.names = names;
  }

  /** Starts to read the message in {@code memory} from {@code from} to before {@code to}. */
  WireReader over(byte[] memory, int from, int to) {
    bytes = memory;
    position = from;
    end = to;
    unread = false;
    problem = null;
    return this;
  }

  /** Goes to the next field of the message; false at its end. */
  boolean next() throws DecodeException {
    if (unread) {
      skip();
    }
    if (position == end) {
      return false;
    }
    long tag = varint();
    field = (int) (tag >>> 3);
    type = (int) (tag & 7);
    if (field <= 0 || tag > 0xffff_ffffL) {
      throw new DecodeException("a field has the number " + (tag >>> 3) + ", which no field has");
    }
    unread = true;
    return true;
  }

  /** The number of the field. */
  int field() {
    return field;
  }

  /** Goes into the message in this field; to be handed to {@link #leave}. */
  int enter() throws DecodeException {
    int length = length();
    int outer = end;
    end = position + length;
    return outer;
  }

  /** Leaves a message, read to its end or not. */
  void leave(int outer) {
    position = end;
    end = outer;
    unread = false;
  }

  /** The text in this field. */
  String text() throws DecodeException {
    int length = length();
    position += length;
    return length == 0 ? "" : new String(bytes, position - length, length, StandardCharsets.UTF_8);
  }

  /** The text in this field, interned. */
  String name() throws DecodeException {
    int length = length();
    position += length;
    return names.text(bytes, position - length, position);
  }

  /** The one of {@code candidates} that this field holds, or nothing. */
  String oneOf(List<String> candidates) throws DecodeException {
    int length = length();
    position += length;
    for (String candidate : candidates) {
      if (NamePool.isSame(candidate, bytes, position - length, length)) {
        return candidate;
      }
    }
    return "";
  }

  /** The value of the word in this field; {@code otherwise} if it is empty. */
  <E> E choice(Map<String, E> words, E otherwise, String path) throws DecodeException {
    String word = name();
    E chosen = words.get(word);
    if (chosen == null && !word.isEmpty()) {
      reject(path + ": " + quote(word) + " is not supported");
    }
    return chosen == null ? otherwise : chosen;
  }

  /** The number in this field. */
  int number() throws DecodeException {
    expect(VARINT);
    return (int) varint();
  }

  /** The boolean in this field. */
  boolean truth() throws DecodeException {
    expect(VARINT);
    return varint() != 0;
  }

  /** The time in this field. */
  Instant time() throws DecodeException {
    long seconds = 0;
    long nanos = 0;
    int outer = enter();
    while (next()) {
      if (field == 1) {
        expect(VARINT);
        seconds = varint();
      } else if (field == 2) {
        nanos = number();
      }
    }
    leave(outer);
    try {
      return Instant.ofEpochSecond(seconds, nanos);
    } catch (DateTimeException | ArithmeticException e) {
      throw new DecodeException("a time is out of range", e);
    }
  }

  /** Goes to the end of the bytes in this field and says where they start. */
  int raw() throws DecodeException {
    int length = length();
    position += length;
    return position - length;
  }

  /** Where in memory the next field starts. */
  int position() {
    return position;
  }

  /** Notes why the object cannot be used; the first reason counts. */
  void reject(String text) {
    if (problem == null) {
      problem = text;
    }
  }

  /** Why the object that was read cannot be used, if so. */
  @Nullable String problem() {
    return problem;
  }

  private void skip() throws DecodeException {
    switch (type) {
      case VARINT -> varint();
      case FIXED_64 -> forward(Long.BYTES);
      case LENGTH -> forward(length());
      case FIXED_32 -> forward(Integer.BYTES);
      default -> throw new DecodeException("a field is of type " + type + ", which is not used");
    }
    unread = false;
  }

  private int length() throws DecodeException {
    expect(LENGTH);
    long length = varint();
    if (length < 0 || length > end - position) {
      throw new DecodeException("field " + field + " is longer than what it is in");
    }
    return (int) length;
  }

  private void forward(int count) throws DecodeException {
    if (count > end - position) {
      throw new DecodeException("field " + field + " is longer than what it is in");
    }
    position += count;
  }

  private void expect(int wanted) throws DecodeException {
    if (type != wanted) {
      throw new DecodeException("field " + field + " is of type " + type + " and not " + wanted);
    }
    unread = false;
  }

  private long varint() throws DecodeException {
    long value = 0;
    for (int shift = 0; shift < LONGEST_VARINT && position < end; shift += 7) {
      byte next = bytes[position++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new DecodeException("a number is too long");
  }
}
