package dev.portolan.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** A file's bytes as text: UTF-8, or UTF-16 where the file begins by saying so. */
public final class FileText {
  private static final char REPLACEMENT = '\ufffd';

  private FileText() {}

  /** The text that {@code bytes} are. */
  public static String decode(String file, byte[] bytes) {
    if (startsWith(bytes, 0xff, 0xfe)) {
      return decode(file, bytes, 2, StandardCharsets.UTF_16LE);
    }
    if (startsWith(bytes, 0xfe, 0xff)) {
      return decode(file, bytes, 2, StandardCharsets.UTF_16BE);
    }
    return decode(file, bytes, 0, StandardCharsets.UTF_8);
  }

  private static String decode(String file, byte[] bytes, int from, Charset charset) {
    String text = new String(bytes, from, bytes.length - from, charset);
    // Invalid bytes become this character, which the file itself may contain as well.
    if (text.indexOf(REPLACEMENT) >= 0) {
      try {
        charset.newDecoder().decode(ByteBuffer.wrap(bytes, from, bytes.length - from));
      } catch (CharacterCodingException e) {
        throw new TextException(broken(file, bytes, from, charset));
      }
    }
    return text;
  }

  private static String broken(String file, byte[] bytes, int from, Charset charset) {
    ByteBuffer input = ByteBuffer.wrap(bytes, from, bytes.length - from);
    CharBuffer line = CharBuffer.allocate(1024);
    int lines = 1;
    int column = 1;
    CharsetDecoder decoder = charset.newDecoder();
    CoderResult result;
    do {
      line.clear();
      result = decoder.decode(input, line, true);
      line.flip();
      while (line.hasRemaining()) {
        boolean newline = line.get() == '\n';
        lines += newline ? 1 : 0;
        column = newline ? 1 : column + 1;
      }
    } while (result.isOverflow());
    String found = String.format("0x%02X", input.hasRemaining() ? input.get(input.position()) : 0);
    return Sentence.at(
        file,
        lines,
        column,
        "",
        "",
        "the byte " + found + " is not " + charset + " text; save the file as UTF-8");
  }

  private static boolean startsWith(byte[] bytes, int first, int second) {
    return bytes.length >= 2 && (bytes[0] & 0xff) == first && (bytes[1] & 0xff) == second;
  }
}
