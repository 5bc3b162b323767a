package dev.portolan.nftables;

import dev.portolan.netlink.Attributes;
import java.util.Arrays;
import java.util.Optional;

/** Where in the kernel a base chain is called. */
public record Hook(Type type, Point point, int priority) {
  /** What a base chain may do. */
  public enum Type {
    FILTER,
    NAT
  }

  /** The places on a packet's way, with the kernel's numbers. */
  public enum Point {
    PREROUTING(0),
    INPUT(1),
    FORWARD(2),
    OUTPUT(3),
    POSTROUTING(4);

    private final int number;

    Point(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }
  }

  /** Before {@link #DNAT}, while destinations are as they came. */
  public static final int BEFORE_DNAT = -110;

  /** Where destinations are replaced. */
  public static final int DNAT = -100;

  /** Where firewalls filter. */
  public static final int FILTER = 0;

  /** Where sources are replaced. */
  public static final int SNAT = 100;

  /** A hook whose chain lets packets pass or not. */
  public static Hook filter(Point point, int priority) {
    return new Hook(Type.FILTER, point, priority);
  }

  /** A hook whose chain sees the first packet of a connection, and may translate it. */
  public static Hook nat(Point point, int priority) {
    return new Hook(Type.NAT, point, priority);
  }

  /** Reads a hook; nothing where its type or point is not supported. */
  static Optional<Hook> read(String type, Attributes hook) {
    int number = hook.u32(NftConstants.HOOK_NUMBER);
    for (Type known : Type.values()) {
      if (known.name().equalsIgnoreCase(type)) {
        return Arrays.stream(Point.values())
            .filter(point -> point.number == number)
            .findFirst()
            .map(point -> new Hook(known, point, hook.u32(NftConstants.HOOK_PRIORITY)));
      }
    }
    return Optional.empty();
  }
}
