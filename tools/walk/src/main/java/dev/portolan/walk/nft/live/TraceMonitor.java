package dev.portolan.walk.nft.live;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.NetlinkMonitor;
import dev.portolan.netlink.NetlinkSocket;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.TableName;
import java.nio.file.Path;
import java.util.Optional;

/** Receives what the kernel says of packets that a rule marked for being traced. */
final class TraceMonitor extends NetlinkMonitor<TraceNotice> {
  private static final int BUFFER = 8 << 20;
  private static final int HEADER = 4;

  /** Numbers of the kernel's {@code linux/netfilter/nf_tables.h}. */
  private static final int GROUP = 9;

  private static final int MESSAGE = (10 << 8) | 17;
  private static final int TABLE = 1;
  private static final int CHAIN = 2;
  private static final int RULE_HANDLE = 3;
  private static final int TYPE = 4;
  private static final int VERDICT = 5;
  private static final int ID = 6;
  private static final int NETWORK_HEADER = 8;
  private static final int TRANSPORT_HEADER = 9;
  private static final int POLICY = 16;
  private static final int OF_RETURN = 2;
  private static final int OF_RULE = 3;

  /** Listens in this process's network namespace, or in the one that {@code namespace} names. */
  TraceMonitor(Optional<Path> namespace) {
    super(
        NetlinkSocket.open(NetlinkSocket.NETFILTER, namespace, BUFFER),
        TraceMonitor::read,
        TraceNotice.Lost::new,
        GROUP);
  }

  static Optional<TraceNotice> read(Message message) {
    if (message.type() != MESSAGE) {
      return Optional.empty();
    }
    Attributes attributes = message.attributes(HEADER);
    int type = attributes.u32(TYPE);
    Optional<NftVerdict> verdict =
        type == OF_RULE || type == OF_RETURN
            ? attributes.first(VERDICT).map(found -> NftVerdict.read(found.nested()))
            : Optional.of(attributes.u32(POLICY) == 0 ? NftVerdict.DROP : NftVerdict.ACCEPT);
    return Optional.of(
        new TraceNotice.Met(
            attributes.u32(ID),
            new TableName(
                Byte.toUnsignedInt(message.body().get(message.body().position())),
                attributes.text(TABLE).orElse("")),
            attributes.text(CHAIN).orElse(""),
            type == OF_RULE
                ? TraceNotice.Kind.RULE
                : type == OF_RETURN ? TraceNotice.Kind.RETURN : TraceNotice.Kind.POLICY,
            attributes.u64(RULE_HANDLE),
            verdict.filter(it -> it.code() != NftVerdict.Code.CONTINUE),
            attributes.bytes(NETWORK_HEADER),
            attributes.bytes(TRANSPORT_HEADER)));
  }
}
