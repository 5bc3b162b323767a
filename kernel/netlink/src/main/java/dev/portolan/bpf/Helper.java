package dev.portolan.bpf;

import java.util.Locale;

/** A function of the kernel that programs call. */
public enum Helper {
  /** Map, key; the value's address, or 0. */
  MAP_LOOKUP_ELEM(1),
  /** Map, key, value, flags. */
  MAP_UPDATE_ELEM(2),
  /** Map, key. */
  MAP_DELETE_ELEM(3),
  /** Nanoseconds since the machine's start. */
  KTIME_GET_NS(5),
  /** 32 random bits. */
  GET_PRANDOM_U32(7),
  /** Context; a number that no other socket of this machine has. */
  GET_SOCKET_COOKIE(46),
  /** Context; a number that no other network namespace of this machine has. */
  GET_NETNS_COOKIE(122),
  /** The negated errno that the system call fails with, where the program returns 0. */
  SET_RETVAL(187);

  private final int number;

  Helper(int number) {
    this.number = number;
  }

  /** The kernel's number. */
  public int number() {
    return number;
  }

  /** Its name, as the kernel writes it without {@code bpf_}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
