package dev.portolan.netlink.ipset;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkConnection;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetlinkSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A connection to the kernel's ipset. The first request loads the kernel module, if necessary. */
public final class Ipset implements AutoCloseable {
  private static final int SUBSYSTEM = 6 << 8;
  private static final int DESTROY = 3;
  private static final int LIST = 7;
  private static final int HEADER = 4;
  private static final int PROTOCOL = 1;
  private static final int NAME = 2;
  private static final int FLAGS = 6 | 0x4000;
  private static final int ONLY_NAMES = 2;

  /** The oldest protocol that kernels still speak. */
  private static final int VERSION = 6;

  /** The kernel's number for a set that a rule uses. */
  private static final int IN_USE = 4100;

  private final NetlinkConnection kernel;

  /** Connects in this process's network namespace, or in the one given. */
  public Ipset(Optional<Path> namespace) {
    kernel = new NetlinkConnection(NetlinkSocket.NETFILTER, namespace);
  }

  /** The names of all sets. */
  public List<String> names() {
    return kernel
        .dump(
            "list the sets of ipset",
            SUBSYSTEM | LIST,
            writer ->
                writer
                    .raw(AddressFamily.IPV4.number(), 0, 0, 0)
                    .u8(PROTOCOL, VERSION)
                    .u32(FLAGS, ONLY_NAMES),
            Ipset::name)
        .stream()
        .distinct()
        .toList();
  }

  /** All sets with their elements; a large set comes in several parts. */
  public List<IpsetContent> contents() {
    return kernel.dump(
        "list the elements of ipset",
        SUBSYSTEM | LIST,
        writer -> writer.raw(AddressFamily.IPV4.number(), 0, 0, 0).u8(PROTOCOL, VERSION),
        IpsetContent::read);
  }

  /** Destroys a set with all that is in it; does nothing if it is gone already. */
  public void destroy(String name) {
    String what = "destroy the set " + name;
    try {
      boolean _ =
          kernel.ask(
              what,
              SUBSYSTEM | DESTROY,
              MessageWriter.ACK,
              writer ->
                  writer
                      .raw(AddressFamily.IPV4.number(), 0, 0, 0)
                      .u8(PROTOCOL, VERSION)
                      .text(NAME, name),
              _ -> {});
    } catch (NetlinkException e) {
      if (e.errno() == IN_USE) {
        throw new NetlinkException("cannot " + what, Errno.EBUSY, "a rule uses it");
      }
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    kernel.close();
  }

  static String name(Message message) {
    return message.attributes(HEADER).text(NAME).orElse("");
  }
}
