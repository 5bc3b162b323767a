package dev.portolan.terminal;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/**
 * Writes our own signs in ASCII, for a locale that has no others. What comes from the cluster or a
 * path passes as it is: only its owner knows what it means.
 */
final class AsciiWriter extends FilterWriter {
  private static final String SIGNS = "→…✓✗│┌─┴┐└├█µ–—";
  private static final String[] WORDS = {
    "->", "...", "ok", "FAILED", "|", "+", "-", "+", "+", "+", "+", "#", "u", "-", "-"
  };

  AsciiWriter(Writer out) {
    super(out);
  }

  @Override
  public void write(int letter) throws IOException {
    int sign = letter < 0x80 ? -1 : SIGNS.indexOf(letter);
    if (sign < 0) {
      out.write(letter);
    } else {
      out.write(WORDS[sign]);
    }
  }

  @Override
  public void write(char[] letters, int offset, int length) throws IOException {
    for (int i = 0; i < length; i++) {
      write(letters[offset + i]);
    }
  }

  @Override
  public void write(String text, int offset, int length) throws IOException {
    for (int i = 0; i < length; i++) {
      write(text.charAt(offset + i));
    }
  }
}
