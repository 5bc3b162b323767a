package dev.portolan.lab;

import java.io.File;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The names of labs, which contain their process and time, and the removal of what killed runs
 * left.
 */
final class LabNames {
  private static final String FOLDER = "/run/netns";
  private static final String PREFIX = "portolan-";
  private static final Pattern NAME =
      Pattern.compile(PREFIX + "([0-9]+)-([0-9]+)-([0-9]+)-[a-z0-9-]+");
  private static final Duration OLD = Duration.ofHours(1);
  private static final AtomicInteger COUNT = new AtomicInteger();

  private LabNames() {}

  /** The start of the names of a new lab's namespaces. */
  static String newPrefix() {
    return PREFIX
        + ProcessHandle.current().pid()
        + "-"
        + Instant.now().getEpochSecond()
        + "-"
        + COUNT.incrementAndGet()
        + "-";
  }

  /** Removes namespaces of labs whose process is gone, or which are older than an hour. */
  static void remove() {
    String[] names = new File(FOLDER).list();
    if (names != null) {
      delete(Stream.of(names).filter(LabNames::isLeftover).toList());
    }
  }

  /** Removes namespaces, whatever is missing of them. */
  static void delete(List<String> names) {
    List<String> present = names.stream().filter(name -> new File(FOLDER, name).exists()).toList();
    if (!present.isEmpty()) {
      StringBuilder batch = new StringBuilder();
      present.forEach(name -> batch.append("netns delete ").append(name).append('\n'));
      try {
        Command.run(List.of("ip", "-force", "-batch", "-"), batch.toString());
      } catch (LabException e) {
        // Another run may have been about to remove the same.
        if (present.stream().anyMatch(name -> new File(FOLDER, name).exists())) {
          throw e;
        }
      }
    }
  }

  static boolean isLeftover(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return false;
    }
    Instant made = Instant.ofEpochSecond(Long.parseLong(matcher.group(2)));
    return ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty()
        || made.plus(OLD).isBefore(Instant.now());
  }
}
