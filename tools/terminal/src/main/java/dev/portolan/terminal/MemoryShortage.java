package dev.portolan.terminal;

import dev.portolan.core.error.ErrorCode;

/** What to say where the heap is too small. */
public final class MemoryShortage {
  private MemoryShortage() {}

  /** A sentence with the limit and how to raise it. */
  public static String sentence() {
    return sentence(Runtime.getRuntime().maxMemory() >> 20);
  }

  static String sentence(long megabytes) {
    return ErrorCode.MEMORY.mark(
        "out of memory: the heap is limited to "
            + megabytes
            + " MB, by default a quarter of the memory of the machine or container; raise that, or"
            + " set JAVA_TOOL_OPTIONS=-Xmx"
            + 2 * megabytes
            + "m");
  }
}
