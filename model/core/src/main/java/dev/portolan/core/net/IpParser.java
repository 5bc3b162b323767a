package dev.portolan.core.net;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the text of an address; never asks a name server, never throws. */
final class IpParser {
  private static final int LONGEST = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255".length();

  private IpParser() {}

  static @Nullable Ip parse(String text) {
    if (text.isEmpty() || text.length() > LONGEST) {
      return null;
    }
    if (text.indexOf(':') >= 0) {
      return parseV6(text);
    }
    long bits = parseV4(text, 0);
    return bits < 0 ? null : Ip.v4((int) bits);
  }

  /** The 32 bits of the dotted address that starts at {@code from} and ends the text, or -1. */
  private static long parseV4(String text, int from) {
    long bits = 0;
    int octets = 0;
    int position = from;
    while (true) {
      int value = 0;
      int start = position;
      while (position < text.length() && isDigit(text.charAt(position))) {
        value = value * 10 + text.charAt(position) - '0';
        if (value > 255) {
          return -1;
        }
        position++;
      }
      if (position == start) {
        return -1;
      }
      bits = bits << 8 | value;
      octets++;
      if (octets == 4) {
        return position == text.length() ? bits : -1;
      }
      if (position == text.length() || text.charAt(position) != '.') {
        return -1;
      }
      position++;
    }
  }

  private static @Nullable Ip parseV6(String text) {
    int[] groups = new int[8];
    int count = 0;
    int gap = -1;
    int position = 0;
    if (text.startsWith("::")) {
      gap = 0;
      position = 2;
    }
    while (position < text.length()) {
      if (count == 8) {
        return null;
      }
      int end = position;
      int value = 0;
      while (end < text.length() && end - position < 4 && hexDigit(text.charAt(end)) >= 0) {
        value = value << 4 | hexDigit(text.charAt(end));
        end++;
      }
      if (end == position) {
        return null;
      }
      if (end < text.length() && text.charAt(end) == '.') {
        long dotted = count > 6 ? -1 : parseV4(text, position);
        if (dotted < 0) {
          return null;
        }
        groups[count++] = (int) (dotted >>> 16);
        groups[count++] = (int) dotted & 0xffff;
        break;
      }
      groups[count++] = value;
      position = end;
      if (position == text.length()) {
        break;
      }
      if (text.charAt(position) != ':' || position + 1 == text.length()) {
        return null;
      }
      position++;
      if (text.charAt(position) == ':') {
        if (gap >= 0) {
          return null;
        }
        gap = count;
        position++;
      }
    }
    if (gap < 0 ? count != 8 : count == 8) {
      return null;
    }
    if (gap >= 0) {
      int tail = count - gap;
      System.arraycopy(groups, gap, groups, 8 - tail, tail);
      Arrays.fill(groups, gap, 8 - tail, 0);
    }
    return new Ip(pack(groups, 0), pack(groups, 4));
  }

  private static long pack(int[] groups, int from) {
    return (long) groups[from] << 48
        | (long) groups[from + 1] << 32
        | (long) groups[from + 2] << 16
        | groups[from + 3];
  }

  /** The digit's value, or -1; unlike {@link Character#digit} it takes ASCII alone. */
  private static int hexDigit(char c) {
    return c < 128 ? Character.digit(c, 16) : -1;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
