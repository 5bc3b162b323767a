package dev.portolan.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many files the process may have open: with too few it would fail somewhere in the JDK, on a
 * class whose jar cannot be opened. So this class uses none of another jar.
 */
final class DescriptorLimit {
  /** 65 jars, 30 that a daemon or a brain has open when idle, and room for what a start needs. */
  static final int NEEDED = 160;

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Pattern LIMIT = Pattern.compile("(?m)^Max open files +([0-9]{1,9}) ");

  private DescriptorLimit() {}

  /** What to say where it is too low; empty where it is not, or not known. */
  static Optional<String> shortage() {
    try {
      return shortage(Files.readString(LIMITS));
    } catch (IOException e) {
      // Not on Linux.
      return Optional.empty();
    }
  }

  /** The same where {@code limits} are what the kernel says of the process. */
  static Optional<String> shortage(String limits) {
    Matcher limit = LIMIT.matcher(limits);
    if (!limit.find() || Integer.parseInt(limit.group(1)) >= NEEDED) {
      return Optional.empty();
    }
    return Optional.of(
        "only "
            + limit.group(1)
            + " files can be open at once, but at least "
            + NEEDED
            + " are needed, and one more for each connection to this process; raise the limit, as"
            + " with 'ulimit -n 1024' or LimitNOFILE= of systemd [PORT-502]");
  }
}
