package dev.portolan.netlink.ipvs;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * How a virtual service spreads its connections.
 *
 * @param scheduler the kernel's name of it, such as {@code rr}
 * @param flags what {@link #PERSISTENT} and the other constants say, added up
 * @param timeout how many seconds a client stays with its real server, where persistent
 * @param netmask which bits of a client's address count for that: in IPv4 a mask, in IPv6 how many
 */
public record ServiceSettings(String scheduler, int flags, int timeout, int netmask) {
  /** A client stays with its real server. */
  public static final int PERSISTENT = 1;

  /** The kernel has it in its table; set by the kernel alone. */
  public static final int HASHED = 2;

  /** Every datagram is scheduled on its own. */
  public static final int ONE_PACKET = 4;

  /** For sh and mh: another real server takes over for one that cannot take more. */
  public static final int FALLBACK = 8;

  /** For sh and mh: the client's port counts, too. */
  public static final int PORT = 16;

  /** A third flag for schedulers, which none uses yet. */
  public static final int SCHEDULER_3 = 32;

  private static final int SCHEDULER = 6;
  private static final int FLAGS = 7;
  private static final int TIMEOUT = 8;
  private static final int NETMASK = 9;

  /** Settings under which a whole address of {@code family} is one client. */
  public static ServiceSettings of(AddressFamily family, String scheduler, int flags, int timeout) {
    return new ServiceSettings(
        scheduler, flags, timeout, family == AddressFamily.IPV4 ? 0xffffffff : 128);
  }

  static ServiceSettings read(Attributes service) {
    byte[] flags = service.bytes(FLAGS);
    return new ServiceSettings(
        service.text(SCHEDULER).orElse(""),
        flags.length < 4
            ? 0
            : ByteBuffer.wrap(flags).order(ByteOrder.nativeOrder()).getInt() & ~HASHED,
        service.nativeU32(TIMEOUT),
        service.nativeU32(NETMASK));
  }

  void write(MessageWriter writer) {
    writer.text(SCHEDULER, scheduler);
    writer.bytes(
        FLAGS,
        ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putInt(flags).putInt(-1).array());
    writer.bytes(TIMEOUT, MessageWriter.nativeBytes(timeout));
    writer.bytes(NETMASK, MessageWriter.nativeBytes(netmask));
  }

  /** Whether a client stays with its real server. */
  public boolean isPersistent() {
    return (flags & PERSISTENT) != 0;
  }

  /** The settings as ipvsadm writes them: {@code mh (mh-port) persistent 10800}. */
  @Override
  public String toString() {
    boolean named = scheduler.equals("sh") || scheduler.equals("mh");
    List<String> ofScheduler = new ArrayList<>();
    if ((flags & FALLBACK) != 0) {
      ofScheduler.add(named ? scheduler + "-fallback" : "flag-1");
    }
    if ((flags & PORT) != 0) {
      ofScheduler.add(named ? scheduler + "-port" : "flag-2");
    }
    if ((flags & SCHEDULER_3) != 0) {
      ofScheduler.add("flag-3");
    }
    return scheduler
        + (ofScheduler.isEmpty() ? "" : " (" + String.join(",", ofScheduler) + ")")
        + (isPersistent() ? " persistent " + Integer.toUnsignedString(timeout) : "")
        + ((flags & ONE_PACKET) != 0 ? " ops" : "");
  }
}
