package dev.portolan.netlink.ipvs;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkConnection;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetlinkSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** A connection to the kernel's IPVS. For one thread at a time. */
public final class Ipvs implements AutoCloseable {
  /** What IPVS answers for a virtual service that is not there. */
  public static final int NO_SUCH_SERVICE = 3;

  private static final int CONTROLLER = 16;
  private static final int GET_FAMILY = 3;
  private static final int FAMILY_ID = 1;
  private static final int FAMILY_NAME = 2;
  private static final String NAME = "IPVS";
  private static final int HEADER = 4;
  private static final int GET_SERVICE = 4;
  private static final int GET_SERVER = 8;
  private static final int SET_TIMEOUTS = 12;
  private static final int GET_TIMEOUTS = 13;

  /** The size of one datagram: every answer to it fits into the socket's buffer. */
  private static final int DATAGRAM = 192 << 10;

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
    return open(namespace, Ipvs::find);
  }

  /** The same, but the kernel loads its module where it can; empty where it cannot. */
  public static Optional<Ipvs> load(Optional<Path> namespace) {
    return open(namespace, Ipvs::request);
  }

  private static Optional<Ipvs> open(Optional<Path> namespace, Lookup lookup) {
    NetlinkConnection kernel = new NetlinkConnection(NetlinkSocket.GENERIC, namespace);
    try {
      int family = lookup.number(kernel);
      if (family != 0) {
        return Optional.of(new Ipvs(kernel, family));
      }
    } catch (RuntimeException e) {
      kernel.close();
      throw e;
    }
    kernel.close();
    return Optional.empty();
  }

  /** How the number of the family is found; 0 where there is none. */
  @FunctionalInterface
  private interface Lookup {
    int number(NetlinkConnection kernel);
  }

  private static int find(NetlinkConnection kernel) {
    return kernel
        .dump(
            "list the families of generic netlink",
            CONTROLLER,
            writer -> writer.raw(GET_FAMILY, 1, 0, 0),
            Ipvs::family)
        .stream()
        .filter(id -> id != 0)
        .findFirst()
        .orElse(0);
  }

  private static int request(NetlinkConnection kernel) {
    int[] number = new int[1];
    try {
      boolean _ =
          kernel.ask(
              "find the family " + NAME + " of generic netlink",
              CONTROLLER,
              MessageWriter.ACK,
              writer -> writer.raw(GET_FAMILY, 1, 0, 0).text(FAMILY_NAME, NAME),
              message -> number[0] = family(message));
    } catch (NetlinkException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
    return number[0];
  }

  /** All virtual services, by what they are known by. */
  public List<VirtualService> services() {
    return list(VirtualService::read);
  }

  /** All virtual services with their settings and counters. */
  public List<ServiceEntry> entries() {
    return list(ServiceEntry::read);
  }

  private <T> List<T> list(Function<Message, T> read) {
    return kernel.dump(
        "list the virtual services of IPVS",
        family,
        writer -> writer.raw(GET_SERVICE, 1, 0, 0),
        read);
  }

  /** One virtual service with its settings and counters; empty where there is none. */
  public Optional<ServiceEntry> entry(VirtualService service) {
    List<ServiceEntry> found = new ArrayList<>();
    try {
      ask(
          "read the virtual service " + service,
          GET_SERVICE,
          service::write,
          message -> found.add(ServiceEntry.read(message)));
    } catch (NetlinkException e) {
      if (e.errno() != NO_SUCH_SERVICE) {
        throw e;
      }
    }
    return found.stream().findFirst();
  }

  /** The real servers behind a virtual service; none where there is no such service. */
  public List<ServerEntry> servers(VirtualService service) {
    int own = AddressFamily.of(service.address()).number();
    return kernel.dump(
        "list the real servers of " + service,
        family,
        writer -> service.write(writer.raw(GET_SERVER, 1, 0, 0)),
        message -> ServerEntry.read(message, own));
  }

  /** The timeouts of connections. */
  public Timeouts timeouts() {
    List<Timeouts> found = new ArrayList<>();
    ask(
        "read the timeouts of IPVS",
        GET_TIMEOUTS,
        _ -> {},
        message -> found.add(Timeouts.read(message)));
    return found.stream()
        .findFirst()
        .orElseThrow(() -> new NetlinkException("the kernel sent no timeouts of IPVS"));
  }

  /** Sets the timeouts of connections; a 0 leaves one as it is. */
  public void setTimeouts(Timeouts timeouts) {
    ask("set the timeouts of IPVS", SET_TIMEOUTS, timeouts::write, _ -> {});
  }

  /**
   * Does one after another; those that the kernel refuses are returned, and do not stop the rest.
   * Where an exception ends it, any number of them may have been done.
   */
  public List<IpvsOrder.Refusal> apply(List<IpvsOrder> orders) {
    List<IpvsOrder.Refusal> refusals = new ArrayList<>();
    MessageWriter writer = new MessageWriter();
    for (int i = 0; i < orders.size(); i++) {
      int start = writer.length();
      orders.get(i).write(writer, family, 0, i);
      if (writer.length() >= DATAGRAM || i == orders.size() - 1) {
        writer.addFlags(start, MessageWriter.ACK);
        NetlinkConnection.Answer answer = kernel.order("change IPVS", writer);
        if (answer.lost()) {
          throw new NetlinkException("cannot change IPVS: the kernel's answers were lost");
        }
        for (Message error : answer.errors()) {
          refusals.add(
              new IpvsOrder.Refusal(
                  orders.get(error.sequence()), error.errno(), error.errorText()));
        }
        writer.cut(0);
      }
    }
    return refusals;
  }

  /** Removes a virtual service with its real servers. */
  public void delete(VirtualService service) {
    for (IpvsOrder.Refusal refusal : apply(List.of(IpvsOrder.delete(service)))) {
      throw new NetlinkException("cannot " + refusal.order(), refusal.errno(), refusal.text());
    }
  }

  @Override
  public void close() {
    kernel.close();
  }

  private void ask(
      String what, int command, Consumer<MessageWriter> content, Consumer<Message> answers) {
    boolean _ =
        kernel.ask(
            what,
            family,
            MessageWriter.ACK,
            writer -> content.accept(writer.raw(command, 1, 0, 0)),
            answers);
  }

  /** The number of the family, where it is that of IPVS; otherwise 0. */
  static int family(Message message) {
    Attributes attributes = message.attributes(HEADER);
    return attributes.text(FAMILY_NAME).orElse("").equals(NAME)
        ? IpvsValues.u16(attributes.bytes(FAMILY_ID))
        : 0;
  }
}
