package dev.portolan.nftables;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.NetlinkMonitor;
import dev.portolan.netlink.NetlinkSocket;
import java.nio.file.Path;
import java.util.Optional;

/** Receives what the kernel says of packets that a rule marked for being traced. */
public final class TraceMonitor extends NetlinkMonitor<TraceNotice> {
  private static final int BUFFER = 8 << 20;
  private static final int HEADER = 4;
  private static final int OF_RETURN = 2;
  private static final int OF_RULE = 3;

  /** Listens in this process's network namespace, or in the one that {@code namespace} names. */
  public TraceMonitor(Optional<Path> namespace) {
    super(
        NetlinkSocket.open(NetlinkSocket.NETFILTER, namespace, BUFFER),
        TraceMonitor::read,
        TraceNotice.Lost::new,
        NftConstants.TRACE_GROUP);
  }

  static Optional<TraceNotice> read(Message message) {
    if (message.type() != (NftConstants.SUBSYSTEM | NftConstants.TRACE)) {
      return Optional.empty();
    }
    Attributes attributes = message.attributes(HEADER);
    int type = attributes.u32(NftConstants.TRACE_TYPE);
    Optional<NftVerdict> verdict =
        type == OF_RULE || type == OF_RETURN
            ? attributes
                .first(NftConstants.TRACE_VERDICT)
                .map(found -> NftVerdict.read(found.nested()))
            : Optional.of(
                attributes.u32(NftConstants.TRACE_POLICY) == 0
                    ? NftVerdict.DROP
                    : NftVerdict.ACCEPT);
    return Optional.of(
        new TraceNotice.Met(
            attributes.u32(NftConstants.TRACE_ID),
            new TableName(
                Byte.toUnsignedInt(message.body().get(message.body().position())),
                attributes.text(NftConstants.TRACE_TABLE).orElse("")),
            attributes.text(NftConstants.TRACE_CHAIN).orElse(""),
            type == OF_RULE
                ? TraceNotice.Kind.RULE
                : type == OF_RETURN ? TraceNotice.Kind.RETURN : TraceNotice.Kind.POLICY,
            attributes.u64(NftConstants.TRACE_RULE_HANDLE),
            verdict.filter(it -> it.code() != NftVerdict.Code.CONTINUE),
            attributes.bytes(NftConstants.TRACE_NETWORK_HEADER),
            attributes.bytes(NftConstants.TRACE_TRANSPORT_HEADER)));
  }
}
