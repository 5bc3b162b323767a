package dev.portolan.doctor;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * How full the kernel's table of connections is.
 *
 * @param count how many there are
 * @param max how many there may be
 * @param dropped packets of new connections that were dropped because it was full
 */
record ConntrackTable(OptionalLong count, OptionalLong max, long dropped) {
  private static final String ID = "conntrack.table";
  private static final String MAX = "net.netfilter.nf_conntrack_max";
  private static final int FULL = 95;
  private static final int NEARLY = 75;

  static ConntrackTable read(KernelFiles files) {
    return new ConntrackTable(
        files.sysctl("net.netfilter.nf_conntrack_count"),
        files.sysctl(MAX),
        dropped(files.lines("/proc/thread-self/net/stat/nf_conntrack").orElse(List.of())));
  }

  /** Adds up a column of hexadecimal numbers, one line per processor. */
  static long dropped(List<String> lines) {
    if (lines.isEmpty()) {
      return 0;
    }
    int column = Arrays.asList(lines.getFirst().split(" +", -1)).indexOf("drop");
    return column < 0
        ? 0
        : lines.stream()
            .skip(1)
            .map(line -> line.split(" +", -1))
            .filter(words -> words.length > column)
            .mapToLong(words -> Long.parseLong(words[column], 16))
            .sum();
  }

  List<CheckResult> check() {
    if (count.isEmpty() || max.isEmpty() || max.getAsLong() == 0) {
      return List.of(
          CheckResult.warn(
              ID,
              "connections are not tracked: " + MAX + " is not there",
              "modprobe nf_conntrack; rules that track connections load it too"));
    }
    long percent = count.getAsLong() * 100 / max.getAsLong();
    String finding =
        count.getAsLong() + " of " + max.getAsLong() + " connections (" + percent + "%)";
    String remedy =
        "raise it: set conntrack.maxPerCore or conntrack.min, or sysctl -w "
            + MAX
            + "="
            + 2 * max.getAsLong()
            + "; 'conntrack -L' shows whose connections they are";
    if (percent >= FULL) {
      return List.of(
          CheckResult.fail(ID, "full: " + finding + "; new connections are dropped", remedy));
    }
    if (percent >= NEARLY) {
      return List.of(CheckResult.warn(ID, "nearly full: " + finding, remedy));
    }
    return List.of(
        dropped > 0
            ? CheckResult.warn(
                ID, finding + "; it was full before: " + dropped + " packets were dropped", remedy)
            : CheckResult.ok(ID, finding));
  }
}
