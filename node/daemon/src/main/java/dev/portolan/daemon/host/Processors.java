package dev.portolan.daemon.host;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many processors the host has, whatever part of them this process may use. */
final class Processors {
  private static final String ONLINE = "sys/devices/system/cpu/online";
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,6})(?:-([0-9]{1,6}))?");

  private Processors() {}

  /** The processors that are on; where the kernel does not say, those that Java sees. */
  static int online(HostFiles files) {
    int count = 0;
    try {
      Matcher range = RANGE.matcher(files.text(ONLINE));
      while (range.find()) {
        int first = Integer.parseInt(range.group(1));
        int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
        count += Math.max(0, last - first + 1);
      }
    } catch (IOException e) {
      count = 0;
    }
    return count > 0 ? count : Runtime.getRuntime().availableProcessors();
  }
}
