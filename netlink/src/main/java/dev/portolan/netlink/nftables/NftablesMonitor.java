package dev.portolan.netlink.nftables;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.NetlinkSocket;
import dev.portolan.netlink.Subscription;
import dev.portolan.netlink.nftables.RulesNotice.Changed;
import dev.portolan.netlink.nftables.RulesNotice.Committed;
import dev.portolan.netlink.nftables.RulesNotice.Kind;
import dev.portolan.netlink.nftables.RulesNotice.Lost;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Hears of every change of the rules in a network namespace, whoever makes it.
 *
 * <p>Whose a change is, the socket's port tells: {@link Nftables#port} of the connection that was
 * used. The process that the kernel names as well is a thread, and numbered as seen from outside of
 * containers.
 */
public final class NftablesMonitor implements AutoCloseable {
  private static final int BUFFER = 32 << 20;
  private static final int HEADER = 4;

  private final Subscription<RulesNotice> subscription;

  /** Listens in this process's network namespace, or in the one that {@code namespace} names. */
  public NftablesMonitor(Optional<Path> namespace) {
    this(NetlinkSocket.open(NetlinkSocket.NETFILTER, namespace, BUFFER));
  }

  /** The same, but deaf to what the connection with the number {@code port} does. */
  public static NftablesMonitor except(int port, Optional<Path> namespace) {
    NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.NETFILTER, namespace, BUFFER);
    socket.ignore(port);
    return new NftablesMonitor(socket);
  }

  NftablesMonitor(Optional<Path> namespace, int buffer) {
    this(NetlinkSocket.open(NetlinkSocket.NETFILTER, namespace, buffer));
  }

  private NftablesMonitor(NetlinkSocket socket) {
    subscription = new Subscription<>(socket, NftablesMonitor::read, Lost::new, Protocol.GROUP);
  }

  /** The next notice; nothing where the time has passed or {@link #close} was called. */
  public Optional<RulesNotice> next(Duration wait) throws InterruptedException {
    return subscription.next(wait);
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    return subscription.isClosed();
  }

  /** Stops listening; any thread may call it, and a thread that waits returns. */
  @Override
  public void close() {
    subscription.close();
  }

  static Optional<RulesNotice> read(Message message) {
    if ((message.type() & ~0xff) != Protocol.SUBSYSTEM) {
      return Optional.empty();
    }
    Attributes attributes = message.attributes(HEADER);
    int type = message.type() & 0xff;
    return switch (type) {
      case Protocol.NEW_TABLE, Protocol.DELETE_TABLE ->
          changed(message, attributes, Kind.TABLE, type == Protocol.DELETE_TABLE, 0);
      case Protocol.NEW_CHAIN, Protocol.DELETE_CHAIN ->
          changed(
              message, attributes, Kind.CHAIN, type == Protocol.DELETE_CHAIN, Protocol.CHAIN_NAME);
      case Protocol.NEW_RULE, Protocol.DELETE_RULE ->
          changed(
              message, attributes, Kind.RULE, type == Protocol.DELETE_RULE, Protocol.RULE_CHAIN);
      case Protocol.NEW_SET, Protocol.DELETE_SET ->
          changed(message, attributes, Kind.SET, type == Protocol.DELETE_SET, Protocol.SET_NAME);
      case Protocol.NEW_ELEMENT, Protocol.DELETE_ELEMENT ->
          changed(
              message,
              attributes,
              Kind.ELEMENT,
              type == Protocol.DELETE_ELEMENT,
              Protocol.ELEMENTS_SET);
      case Protocol.NEW_GENERATION ->
          Optional.of(
              new Committed(
                  message.port(),
                  attributes.u32(Protocol.GENERATION_ID),
                  attributes.u32(Protocol.GENERATION_PROCESS_ID),
                  attributes.text(Protocol.GENERATION_PROCESS_NAME).orElse("")));
      default ->
          changed(
              message,
              attributes,
              Kind.OTHER,
              type == Protocol.DELETE_OBJECT || type == Protocol.DELETE_FLOWTABLE,
              0);
    };
  }

  private static Optional<RulesNotice> changed(
      Message message, Attributes attributes, Kind kind, boolean deleted, int name) {
    int family = Byte.toUnsignedInt(message.body().get(message.body().position()));
    String table = attributes.text(Protocol.TABLE).orElse("");
    return Optional.of(
        new Changed(
            message.port(),
            new TableName(family, table),
            kind,
            deleted,
            name == 0 ? "" : attributes.text(name).orElse("")));
  }
}
