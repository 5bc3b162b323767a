package dev.portolan.netlink.ipvs;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkConnection;
import dev.portolan.netlink.NetlinkSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A connection to the kernel's IPVS: lists the virtual services and removes them. */
public final class Ipvs implements AutoCloseable {
  private static final int CONTROLLER = 16;
  private static final int GET_FAMILY = 3;
  private static final int FAMILY_ID = 1;
  private static final int FAMILY_NAME = 2;
  private static final int HEADER = 4;
  private static final int DELETE_SERVICE = 3;
  private static final int GET_SERVICE = 4;

  private final NetlinkConnection kernel;
  private final int family;

  private Ipvs(NetlinkConnection kernel, int family) {
    this.kernel = kernel;
    this.family = family;
  }

  /**
   * Connects in this process's network namespace, or in the one given; empty where the kernel has
   * no IPVS. All families are listed for that: asking for this one would load its module.
   */
  public static Optional<Ipvs> open(Optional<Path> namespace) {
    NetlinkConnection kernel = new NetlinkConnection(NetlinkSocket.GENERIC, namespace);
    try {
      Optional<Integer> family =
          kernel
              .dump(
                  "list the families of generic netlink",
                  CONTROLLER,
                  writer -> writer.raw(GET_FAMILY, 1, 0, 0),
                  Ipvs::family)
              .stream()
              .filter(id -> id != 0)
              .findFirst();
      if (family.isPresent()) {
        return Optional.of(new Ipvs(kernel, family.get()));
      }
    } catch (RuntimeException e) {
      kernel.close();
      throw e;
    }
    kernel.close();
    return Optional.empty();
  }

  /** All virtual services. */
  public List<VirtualService> services() {
    return kernel.dump(
        "list the virtual services of IPVS",
        family,
        writer -> writer.raw(GET_SERVICE, 1, 0, 0),
        VirtualService::read);
  }

  /** Removes a virtual service with its destinations. */
  public void delete(VirtualService service) {
    boolean _ =
        kernel.ask(
            "delete the virtual service " + service,
            family,
            MessageWriter.ACK,
            writer -> service.write(writer.raw(DELETE_SERVICE, 1, 0, 0)),
            _ -> {});
  }

  @Override
  public void close() {
    kernel.close();
  }

  /** The number of the family, where it is that of IPVS; otherwise 0. */
  static int family(Message message) {
    Attributes attributes = message.attributes(HEADER);
    byte[] id = attributes.bytes(FAMILY_ID);
    return id.length == 2 && attributes.text(FAMILY_NAME).orElse("").equals("IPVS")
        ? Short.toUnsignedInt(ByteBuffer.wrap(id).order(ByteOrder.nativeOrder()).getShort())
        : 0;
  }
}
