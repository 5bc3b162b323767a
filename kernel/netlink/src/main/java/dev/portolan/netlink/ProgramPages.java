package dev.portolan.netlink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The pages of the files that this process was made of: the JVM, its libraries and its class cache.
 * A start touches nearly all of them, the work that follows about half.
 */
public final class ProgramPages {
  private static final Path MAPPINGS = Path.of("/proc/self/smaps");

  /**
   * A part of a file that is only read, and of which no page became this process's own. The files
   * are those that are mapped from the first moment on: one that is being loaded may change.
   */
  private static final Pattern UNCHANGED =
      Pattern.compile(
          "(?m)^(\\w+)-(\\w+) r-.[ps] .*(?:/libjvm.so|/libc.so.6|/modules|[.]aot)\\n"
              + "(?:\\w+: .*\\n)*?Anonymous: +0 kB$");

  private ProgramPages() {}

  /**
   * Gives them back. What is used again comes from the page cache, where the kernel keeps it for as
   * long as it has no better use for the memory.
   */
  public static void giveBack() {
    try {
      Matcher part = UNCHANGED.matcher(Files.readString(MAPPINGS));
      while (part.find()) {
        int _ = Libc.giveBack(number(part, 1), number(part, 2));
      }
    } catch (IOException e) {
      // There is no /proc here, and nothing is lost but memory.
    }
  }

  private static long number(Matcher part, int group) {
    return Long.parseUnsignedLong(part.group(group), 16);
  }
}
