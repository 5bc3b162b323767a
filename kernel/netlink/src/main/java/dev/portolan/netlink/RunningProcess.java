package dev.portolan.netlink;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A process on this machine, in words that help a person to find it. The kernel often knows only
 * the thread that did something; its process is what a person looks for.
 *
 * @param pid its number, as this process counts
 * @param command how it was started, in short: {@code portolan run}, {@code nft -f rules}
 */
public record RunningProcess(long pid, String command) {
  private static final Path PROC = Path.of("/proc");
  private static final int LONGEST = 80;
  private static final int LONGEST_LINE = 64 * 1024;
  private static final String OWN_MAIN = "dev.portolan.cli.Main";

  /** The process of the thread {@code number}; empty where none such can be seen. */
  public static Optional<RunningProcess> ofThread(long number) {
    try {
      String thread = Files.readString(PROC.resolve(number + "/status"), StandardCharsets.UTF_8);
      long pid =
          thread
              .lines()
              .filter(line -> line.startsWith("Tgid:"))
              .mapToLong(line -> Long.parseLong(line.substring("Tgid:".length()).strip()))
              .findFirst()
              .orElse(number);
      return Optional.of(new RunningProcess(pid, command(pid)));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Whether the thread {@code number} has this name, as far as the kernel keeps names. */
  static boolean isThread(long number, String name) {
    try {
      return Files.readString(PROC.resolve(number + "/comm")).strip().equals(name);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The process that wrote something, where the kernel names a thread by its number in the
   * machine's first pid namespace. Inside a container that number is another process's, or unused:
   * so a process is named only if the thread of that number has that name here too.
   */
  public static String ofWriter(long thread, String name) {
    return Optional.of(thread)
        .filter(number -> isThread(number, name))
        .flatMap(RunningProcess::ofThread)
        .map(RunningProcess::toString)
        .orElse(name + " (pid " + thread + ")");
  }

  private static String command(long pid) throws IOException {
    // Read at once: of a process that ends between two reads, the first would be all there is.
    byte[] line = new byte[LONGEST_LINE];
    try (InputStream file = Files.newInputStream(PROC.resolve(pid + "/cmdline"))) {
      int length = Math.max(0, file.read(line));
      String[] words = new String(line, 0, length, StandardCharsets.ISO_8859_1).split("\0");
      if (words.length > 0 && !words[0].isEmpty()) {
        return shortened(Arrays.asList(words));
      }
    }
    return Files.readString(PROC.resolve(pid + "/comm"), StandardCharsets.ISO_8859_1).strip();
  }

  /** A command line in short: without the way to its program, and without Java's own words. */
  static String shortened(List<String> words) {
    int main = words.indexOf(OWN_MAIN);
    List<String> shown = main < 0 ? words : words.subList(main, words.size());
    String first = main < 0 ? words.getFirst() : "portolan";
    String program = first.substring(first.lastIndexOf('/') + 1);
    StringBuilder text = new StringBuilder(program);
    shown.stream()
        .skip(1)
        .limit(main < 0 ? LONGEST : 1)
        .forEach(word -> text.append(' ').append(word));
    String whole = text.toString().replaceAll("\\p{Cntrl}", "?");
    return whole.length() <= LONGEST ? whole : whole.substring(0, LONGEST - 1) + "…";
  }

  /** Such as {@code nft -f rules (pid 4711)}. */
  @Override
  public String toString() {
    return command + " (pid " + pid + ")";
  }
}
