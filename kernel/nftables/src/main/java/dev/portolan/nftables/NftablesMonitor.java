package dev.portolan.nftables;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.NetlinkMonitor;
import dev.portolan.netlink.NetlinkSocket;
import dev.portolan.nftables.RulesNotice.Changed;
import dev.portolan.nftables.RulesNotice.Committed;
import dev.portolan.nftables.RulesNotice.Kind;
import dev.portolan.nftables.RulesNotice.Lost;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Receives a notice of every change of the rules in a network namespace, whichever process makes
 * it.
 *
 * <p>The socket's port identifies the origin of a change: {@link Nftables#port} of the connection
 * that was used. The kernel also names a process, but that is a thread, numbered as seen from
 * outside of containers.
 */
public final class NftablesMonitor extends NetlinkMonitor<RulesNotice> {
  private static final int BUFFER = 32 << 20;
  private static final int HEADER = 4;

  /** Listens in this process's network namespace, or in the one that {@code namespace} names. */
  public NftablesMonitor(Optional<Path> namespace) {
    this(NetlinkSocket.open(NetlinkSocket.NETFILTER, namespace, BUFFER));
  }

  /** The same, without what the connection with the number {@code port} does. */
  public static NftablesMonitor except(int port, Optional<Path> namespace) {
    NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.NETFILTER, namespace, BUFFER);
    socket.ignore(port);
    return new NftablesMonitor(socket);
  }

  NftablesMonitor(Optional<Path> namespace, int buffer) {
    this(NetlinkSocket.open(NetlinkSocket.NETFILTER, namespace, buffer));
  }

  private NftablesMonitor(NetlinkSocket socket) {
    super(socket, NftablesMonitor::read, Lost::new, NftConstants.GROUP);
  }

  static Optional<RulesNotice> read(Message message) {
    if ((message.type() & ~0xff) != NftConstants.SUBSYSTEM) {
      return Optional.empty();
    }
    Attributes attributes = message.attributes(HEADER);
    int type = message.type() & 0xff;
    return switch (type) {
      case NftConstants.NEW_TABLE, NftConstants.DELETE_TABLE ->
          changed(message, attributes, Kind.TABLE, type == NftConstants.DELETE_TABLE, 0);
      case NftConstants.NEW_CHAIN, NftConstants.DELETE_CHAIN ->
          changed(
              message,
              attributes,
              Kind.CHAIN,
              type == NftConstants.DELETE_CHAIN,
              NftConstants.CHAIN_NAME);
      case NftConstants.NEW_RULE, NftConstants.DELETE_RULE ->
          changed(
              message,
              attributes,
              Kind.RULE,
              type == NftConstants.DELETE_RULE,
              NftConstants.RULE_CHAIN);
      case NftConstants.NEW_SET, NftConstants.DELETE_SET ->
          changed(
              message,
              attributes,
              Kind.SET,
              type == NftConstants.DELETE_SET,
              NftConstants.SET_NAME);
      case NftConstants.NEW_ELEMENT, NftConstants.DELETE_ELEMENT ->
          changed(
              message,
              attributes,
              Kind.ELEMENT,
              type == NftConstants.DELETE_ELEMENT,
              NftConstants.ELEMENTS_SET);
      case NftConstants.NEW_GENERATION ->
          Optional.of(
              new Committed(
                  message.port(),
                  attributes.u32(NftConstants.GENERATION_ID),
                  attributes.u32(NftConstants.GENERATION_PROCESS_ID),
                  attributes.text(NftConstants.GENERATION_PROCESS_NAME).orElse("")));
      default ->
          changed(
              message,
              attributes,
              Kind.OTHER,
              type == NftConstants.DELETE_OBJECT || type == NftConstants.DELETE_FLOWTABLE,
              0);
    };
  }

  private static Optional<RulesNotice> changed(
      Message message, Attributes attributes, Kind kind, boolean deleted, int name) {
    int family = Byte.toUnsignedInt(message.body().get(message.body().position()));
    String table = attributes.text(NftConstants.TABLE).orElse("");
    return Optional.of(
        new Changed(
            message.port(),
            new TableName(family, table),
            kind,
            deleted,
            name == 0 ? "" : attributes.text(name).orElse("")));
  }
}
