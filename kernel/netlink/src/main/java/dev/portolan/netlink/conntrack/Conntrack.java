package dev.portolan.netlink.conntrack;

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

/** A connection to the kernel's table of flows: reads those that a filter wants, and deletes. */
public final class Conntrack implements AutoCloseable {
  private static final int IN_ONE_SEND = 1000;

  private final NetlinkConnection kernel;

  /**
   * What became of flows that were to be deleted.
   *
   * @param alreadyGone how many had ended by themselves
   * @param failed how many the kernel refused to delete
   * @param firstFailure names one of these and says why
   */
  public record Deletion(
      int deleted, int alreadyGone, int failed, Optional<NetlinkException> firstFailure) {}

  /** Works in this process's network namespace, or in the one that {@code namespace} names. */
  public Conntrack(Optional<Path> namespace) {
    this(new NetlinkConnection(NetlinkSocket.NETFILTER, namespace));
  }

  private Conntrack(NetlinkConnection kernel) {
    this.kernel = kernel;
  }

  /**
   * Hands over the flows that {@code filter} wants, one by one: there may be a million.
   *
   * @return false if the table changed, so that flows may be missing or repeated
   */
  public boolean forEach(FlowFilter filter, Consumer<Flow> reader) {
    try {
      return ask(filter, filter::write, reader);
    } catch (NetlinkException e) {
      if (e.errno() != Errno.EINVAL && e.errno() != Errno.EOPNOTSUPP) {
        throw e;
      }
      return ask(filter, writer -> {}, reader);
    }
  }

  /** The flows that {@code filter} wants. */
  public List<Flow> flows(FlowFilter filter) {
    List<Flow> found = new ArrayList<>();
    forEach(filter, found::add);
    return found;
  }

  /** Deletes flows; one that is gone already, or was replaced by another, is left alone. */
  public Deletion delete(List<Flow> flows) {
    int gone = 0;
    int failed = 0;
    Optional<NetlinkException> first = Optional.empty();
    for (int start = 0; start < flows.size(); start += IN_ONE_SEND) {
      List<Flow> some = flows.subList(start, Math.min(flows.size(), start + IN_ONE_SEND));
      NetlinkConnection.Answer answer = kernel.order("delete flows", deletions(some));
      for (Message error : answer.errors()) {
        if (error.errno() == Errno.ENOENT) {
          gone++;
          continue;
        }
        failed++;
        if (first.isEmpty()) {
          first = Optional.of(failure(some, error));
        }
      }
      if (answer.lastHeard() != some.size() && !answer.lost()) {
        throw first.orElseGet(
            () -> new NetlinkException("cannot delete flows: the kernel stopped halfway"));
      }
    }
    return new Deletion(flows.size() - gone - failed, gone, failed, first);
  }

  @Override
  public void close() {
    kernel.close();
  }

  private boolean ask(FlowFilter filter, Consumer<MessageWriter> narrow, Consumer<Flow> reader) {
    return kernel.ask(
        "read the flows",
        ConntrackConstants.SUBSYSTEM | ConntrackConstants.GET,
        MessageWriter.DUMP,
        writer -> narrow.accept(writer.raw(filter.family().number(), 0, 0, 0)),
        message -> {
          Flow flow = Flow.read(message);
          if (filter.accepts(flow)) {
            reader.accept(flow);
          }
        });
  }

  /** An order for each flow, numbered from 1. Without a tuple the kernel would delete all flows. */
  private static MessageWriter deletions(List<Flow> flows) {
    MessageWriter writer = new MessageWriter();
    int number = 0;
    for (Flow flow : flows) {
      number++;
      writer.begin(
          ConntrackConstants.SUBSYSTEM | ConntrackConstants.DELETE,
          MessageWriter.REQUEST | (number == flows.size() ? MessageWriter.ACK : 0),
          number);
      writer.raw(flow.family().number(), 0, 0, 0);
      flow.original().write(writer, ConntrackConstants.TUPLE_ORIGINAL, flow.protocol());
      writer.u32(ConntrackConstants.ID, flow.id());
      if (flow.zone() != 0) {
        writer.u16(ConntrackConstants.ZONE, flow.zone());
      }
      writer.end();
    }
    return writer;
  }

  private static NetlinkException failure(List<Flow> flows, Message error) {
    int number = error.sequence();
    String flow =
        number >= 1 && number <= flows.size() ? flows.get(number - 1).toString() : "flows";
    return new NetlinkException("cannot delete " + flow, error.errno(), error.errorText());
  }
}
