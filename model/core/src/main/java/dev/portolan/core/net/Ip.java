package dev.portolan.core.net;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An IPv4 or IPv6 address.
 *
 * <p>The 128 bits are held in two numbers; an IPv4 address is held in its IPv6-mapped form ({@code
 * ::ffff:a.b.c.d}). So both spellings of an IPv4 address are the same value, as they are for
 * kube-proxy, and addresses order by family, then by number.
 */
public record Ip(long high, long low) implements Comparable<Ip> {
  private static final long MAPPED = 0xffffL << 32;
  private static final Ip ANY_V4 = v4(0);
  private static final Ip ANY_V6 = new Ip(0, 0);

  /** The IPv4 address with these 32 bits. */
  public static Ip v4(int bits) {
    return new Ip(0, MAPPED | Integer.toUnsignedLong(bits));
  }

  /** The unspecified address of a family: 0.0.0.0 or ::. */
  public static Ip any(IpFamily family) {
    return family == IpFamily.IPV4 ? ANY_V4 : ANY_V6;
  }

  /** The address with these 4 or 16 bytes, in network byte order. */
  public static Ip fromBytes(byte[] bytes) {
    if (bytes.length == 4) {
      return v4(ByteBuffer.wrap(bytes).getInt());
    }
    if (bytes.length != 16) {
      throw new IllegalArgumentException("an address has 4 or 16 bytes, not " + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new Ip(buffer.getLong(), buffer.getLong());
  }

  /** Reads an address as Kubernetes does: leading zeros in IPv4 are tolerated, zones are not. */
  public static Optional<Ip> parse(String text) {
    return Optional.ofNullable(IpParser.parse(text));
  }

  /** Reads an address in its canonical spelling, that of {@link #toString}, and in no other. */
  public static Optional<Ip> parseCanonical(String text) {
    // A dotted address can only be too long, by zeros.
    boolean dotted = text.indexOf(':') < 0;
    return parse(text)
        .filter(ip -> dotted ? text.length() == ip.dottedLength() : text.equals(ip.toString()));
  }

  private int dottedLength() {
    int length = 3;
    for (int i = 0; i < 4; i++) {
      length += octet(i) < 10 ? 1 : octet(i) < 100 ? 2 : 3;
    }
    return length;
  }

  /** Reads an address known to be good; anything else is the caller's mistake. */
  public static Ip of(String text) {
    return parse(text)
        .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not an IP address"));
  }

  /** The address's family. */
  public IpFamily family() {
    return isV4() ? IpFamily.IPV4 : IpFamily.IPV6;
  }

  /** Whether this is 127.0.0.0/8 or ::1. */
  public boolean isLoopback() {
    return isV4() ? octet(0) == 127 : high == 0 && low == 1;
  }

  /** Whether this is 169.254.0.0/16 or fe80::/10. */
  public boolean isLinkLocal() {
    return isV4() ? octet(0) == 169 && octet(1) == 254 : high >>> 54 == 0xfe80 >>> 6;
  }

  /** Whether this is 224.0.0.0/4 or ff00::/8. */
  public boolean isMulticast() {
    return isV4() ? octet(0) >>> 4 == 0xe : high >>> 56 == 0xff;
  }

  /** Whether this is 0.0.0.0 or ::. */
  public boolean isUnspecified() {
    return isV4() ? (int) low == 0 : high == 0 && low == 0;
  }

  /** The address in network byte order: 4 or 16 bytes. */
  public byte[] toBytes() {
    int length = family().bits() / 8;
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      int fromRight = length - 1 - i;
      bytes[i] = (byte) ((fromRight < 8 ? low : high) >>> (fromRight % 8 * 8));
    }
    return bytes;
  }

  /** The address with {@code port}, in brackets where it is IPv6. */
  public String withPort(int port) {
    return isV4() ? this + ":" + port : "[" + this + "]:" + port;
  }

  @Override
  public int compareTo(Ip other) {
    if (isV4() != other.isV4()) {
      return isV4() ? -1 : 1;
    }
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  /** Written out, because addresses are compared more than anything else. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Ip ip && ip.low == low && ip.high == high;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(31 * high + low);
  }

  /** The canonical spelling: dotted decimal, or RFC 5952 for IPv6. */
  @Override
  public String toString() {
    return isV4() ? octet(0) + "." + octet(1) + "." + octet(2) + "." + octet(3) : ipv6Text();
  }

  private boolean isV4() {
    return high == 0 && low >>> 32 == 0xffff;
  }

  private int octet(int index) {
    return (int) (low >>> (24 - 8 * index)) & 0xff;
  }

  private int group(int index) {
    return (int) ((index < 4 ? high : low) >>> (48 - 16 * (index % 4))) & 0xffff;
  }

  private String ipv6Text() {
    int gapStart = -1;
    int gapLength = 1;
    for (int start = 0; start < 8; start++) {
      int end = start;
      while (end < 8 && group(end) == 0) {
        end++;
      }
      if (end - start > gapLength) {
        gapStart = start;
        gapLength = end - start;
      }
    }
    StringBuilder text = new StringBuilder(39);
    for (int i = 0; i < 8; i++) {
      if (i == gapStart) {
        text.append("::");
        i += gapLength - 1;
        continue;
      }
      if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
        text.append(':');
      }
      text.append(Integer.toHexString(group(i)));
    }
    return text.toString();
  }
}
