package dev.portolan.walk.iptables;

import java.util.ArrayList;
import java.util.List;

/** Ports as rules write them: {@code 80}, {@code 80:90}, {@code 80,443,8000:8010}. */
record PortRanges(List<Range> ranges) {
  private static final int LAST = 65_535;

  /** From one port to another, with both. */
  record Range(int first, int last) {}

  PortRanges {
    ranges = List.copyOf(ranges);
  }

  /** Reads them. */
  static PortRanges of(String text) {
    List<Range> ranges = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int colon = part.indexOf(':');
      if (colon < 0) {
        int port = Integer.parseInt(part);
        ranges.add(new Range(port, port));
      } else {
        String last = part.substring(colon + 1);
        ranges.add(
            new Range(
                colon == 0 ? 0 : Integer.parseInt(part.substring(0, colon)),
                last.isEmpty() ? LAST : Integer.parseInt(last)));
      }
    }
    return new PortRanges(ranges);
  }

  boolean contains(int port) {
    return ranges.stream().anyMatch(range -> range.first <= port && port <= range.last);
  }

  /** The only port; 0 if there are several. */
  int only() {
    return ranges.size() == 1 && ranges.getFirst().first == ranges.getFirst().last
        ? ranges.getFirst().first
        : 0;
  }
}
