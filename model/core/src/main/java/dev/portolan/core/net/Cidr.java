package dev.portolan.core.net;

import java.util.Optional;

/** A prefix of addresses, such as {@code 10.96.0.0/12}; its base has no bits beyond the prefix. */
public record Cidr(Ip base, int prefix) implements Comparable<Cidr> {
  public Cidr {
    if (prefix < 0 || prefix > base.family().bits()) {
      throw new IllegalArgumentException("no prefix of " + prefix + " bits in " + base.family());
    }
    base = mask(base, prefix);
  }

  /** Reads {@code ADDRESS/BITS}; bits of the address beyond the prefix are dropped. */
  public static Optional<Cidr> parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0 || slash + 1 == text.length() || text.length() - slash > 4) {
      return Optional.empty();
    }
    int prefix = 0;
    for (int i = slash + 1; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return Optional.empty();
      }
      prefix = prefix * 10 + digit;
    }
    int bits = prefix;
    return Ip.parse(text.substring(0, slash))
        .filter(base -> bits <= base.family().bits())
        .map(base -> new Cidr(base, bits));
  }

  /** Reads a prefix known to be good; anything else is the caller's mistake. */
  public static Cidr of(String text) {
    return parse(text)
        .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not a CIDR"));
  }

  /** The prefix that holds {@code address} and nothing else. */
  public static Cidr only(Ip address) {
    return new Cidr(address, address.family().bits());
  }

  /** The family of the addresses inside. */
  public IpFamily family() {
    return base.family();
  }

  /** Whether {@code address} lies inside. */
  public boolean contains(Ip address) {
    return address.family() == family() && mask(address, prefix).equals(base);
  }

  /** Whether every address of {@code other} lies inside. */
  public boolean contains(Cidr other) {
    return other.prefix >= prefix && contains(other.base);
  }

  /** The last address inside. */
  public Ip last() {
    return family() == IpFamily.IPV4
        ? Ip.v4((int) base.low() | (prefix == 0 ? -1 : ~(-1 << (32 - prefix))))
        : new Ip(base.high() | ~ones(prefix), base.low() | ~ones(prefix - 64));
  }

  /** Whether this is the whole family: 0.0.0.0/0 or ::/0. */
  public boolean isEverything() {
    return prefix == 0;
  }

  @Override
  public int compareTo(Cidr other) {
    int byBase = base.compareTo(other.base);
    return byBase != 0 ? byBase : Integer.compare(prefix, other.prefix);
  }

  @Override
  public String toString() {
    return base + "/" + prefix;
  }

  private static Ip mask(Ip address, int prefix) {
    if (address.family() == IpFamily.IPV4) {
      return Ip.v4(prefix == 0 ? 0 : (int) address.low() & -1 << (32 - prefix));
    }
    return new Ip(address.high() & ones(prefix), address.low() & ones(prefix - 64));
  }

  /** A number whose leftmost {@code count} bits are set. */
  private static long ones(int count) {
    return count <= 0 ? 0 : count >= 64 ? -1 : -1L << (64 - count);
  }
}
