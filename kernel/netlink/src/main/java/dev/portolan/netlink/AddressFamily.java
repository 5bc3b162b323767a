package dev.portolan.netlink;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The families of IP addresses, with the kernel's number and nft's word for each. */
public enum AddressFamily {
  /** {@code AF_INET}, {@code NFPROTO_IPV4}. */
  IPV4(2, "ip", "IPv4"),

  /** {@code AF_INET6}, {@code NFPROTO_IPV6}. */
  IPV6(10, "ip6", "IPv6");

  private final int number;
  private final String word;
  private final String label;

  AddressFamily(int number, String word, String label) {
    this.number = number;
    this.word = word;
    this.label = label;
  }

  /** The family of an address. */
  public static AddressFamily of(InetAddress address) {
    return address instanceof Inet4Address ? IPV4 : IPV6;
  }

  /** The address that 4 or 16 bytes are; 16 are one of IPv6 even in mapped form. */
  public static InetAddress address(byte[] bytes) {
    try {
      return bytes.length == 16
          ? Inet6Address.getByAddress(null, bytes, -1)
          : InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new NetlinkException("the kernel sent an address of " + bytes.length + " bytes", e);
    }
  }

  /** The kernel's number, the same for sockets and for netfilter. */
  public int number() {
    return number;
  }

  /** The family as nft writes it: {@code ip} or {@code ip6}. */
  public String word() {
    return word;
  }

  /** {@code IPv4} or {@code IPv6}. */
  @Override
  public String toString() {
    return label;
  }
}
