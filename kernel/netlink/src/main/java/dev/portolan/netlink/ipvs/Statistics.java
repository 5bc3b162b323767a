package dev.portolan.netlink.ipvs;

import dev.portolan.netlink.Attributes;

/** What a virtual service or a real server has carried since it was made, or since a reset. */
public record Statistics(
    long connections, long packetsIn, long packetsOut, long bytesIn, long bytesOut) {
  private static final int CONNECTIONS = 1;
  private static final int PACKETS_IN = 2;
  private static final int PACKETS_OUT = 3;
  private static final int BYTES_IN = 4;
  private static final int BYTES_OUT = 5;

  /** Reads the counters of 64 bits, or of a kernel without them those of 32 bits. */
  static Statistics read(Attributes entry, int wide, int narrow) {
    boolean isWide = entry.first(wide).isPresent();
    Attributes counters = entry.nested(isWide ? wide : narrow);
    return new Statistics(
        count(counters, CONNECTIONS, isWide),
        count(counters, PACKETS_IN, isWide),
        count(counters, PACKETS_OUT, isWide),
        IpvsValues.u64(counters.u64(BYTES_IN)),
        IpvsValues.u64(counters.u64(BYTES_OUT)));
  }

  private static long count(Attributes counters, int type, boolean wide) {
    return wide
        ? IpvsValues.u64(counters.u64(type))
        : Integer.toUnsignedLong(counters.nativeU32(type));
  }
}
