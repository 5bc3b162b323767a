package dev.portolan.netlink;

import dev.portolan.netlink.MessageReader.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Sends requests to the kernel and reads the answers, one request after another. What a failed
 * request has left unread is discarded before the next. For one thread at a time.
 */
public final class NetlinkConnection implements AutoCloseable {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
  private static final int TRIES = 10;

  private final NetlinkSocket socket;
  private int sequence;
  private boolean unread;

  /**
   * The kernel's answer to a list of requests.
   *
   * @param errors the requests that it refused, by their sequence numbers
   * @param lastHeard the sequence number of the last answer
   * @param lost whether there were more answers than could be kept
   */
  public record Answer(List<Message> errors, int lastHeard, boolean lost) {
    public Answer {
      errors = List.copyOf(errors);
    }
  }

  /** Uses {@code socket}, and closes it in the end. */
  public NetlinkConnection(NetlinkSocket socket) {
    this.socket = socket;
  }

  /** Speaks {@code protocol} in this process's network namespace, or in the one given. */
  public NetlinkConnection(int protocol, Optional<Path> namespace) {
    this(NetlinkSocket.open(protocol, namespace));
  }

  /** The number that the kernel knows the socket by. */
  public int port() {
    return socket.port();
  }

  /**
   * Sends one request and hands over the answers.
   *
   * @param what what is asked for, for the message of an exception
   * @param content writes the family's header and the attributes
   * @return false where a change came in between, so that a dump may have holes
   */
  public boolean ask(
      String what,
      int type,
      int flags,
      Consumer<MessageWriter> content,
      Consumer<Message> answers) {
    int number = ++sequence;
    MessageWriter writer = new MessageWriter();
    writer.begin(type, MessageWriter.REQUEST | flags, number);
    content.accept(writer);
    writer.end();
    send(writer);
    boolean whole = true;
    while (true) {
      MessageReader datagram;
      try {
        datagram = receive(ANSWER_TIMEOUT, what);
      } catch (NetlinkException e) {
        if (e.errno() == Errno.ENOBUFS) {
          return false;
        }
        throw e;
      }
      for (Optional<Message> next = datagram.next(); next.isPresent(); next = datagram.next()) {
        Message message = next.get();
        if (message.sequence() != number) {
          continue;
        }
        whole &= !message.isInterrupted();
        boolean done = message.type() == MessageReader.TYPE_DONE;
        if (done || message.type() == MessageReader.TYPE_ERROR) {
          int errno = done ? message.doneErrno() : message.errno();
          if (errno == Errno.EINTR) {
            return false;
          }
          unread = false;
          if (errno != 0) {
            throw new NetlinkException("cannot " + what, errno, message.errorText());
          }
          return whole;
        }
        if (message.type() == MessageReader.TYPE_OVERRUN) {
          return false;
        }
        answers.accept(message);
      }
    }
  }

  /** Reads everything of a kind, again from the start where a change came in between. */
  public <T> List<T> dump(
      String what, int type, Consumer<MessageWriter> content, Function<Message, T> read) {
    for (int i = 0; i < TRIES; i++) {
      List<T> found = new ArrayList<>();
      if (ask(what, type, MessageWriter.DUMP, content, message -> found.add(read.apply(message)))) {
        return found;
      }
    }
    throw new NetlinkException(
        "cannot " + what + ": it changed each time it was read, " + TRIES + " times");
  }

  /**
   * Sends a list of requests in one datagram, the last of which asks for an acknowledgement;
   * returns what was refused.
   */
  public Answer order(String what, MessageWriter orders) {
    send(orders);
    List<Message> errors = new ArrayList<>();
    int lastHeard = -1;
    boolean lost = false;
    boolean answered = false;
    // When send returns, everything was done and every answer waits.
    while (true) {
      MessageReader datagram;
      try {
        datagram = answered || lost ? socket.receive(Duration.ZERO) : receive(ANSWER_TIMEOUT, what);
      } catch (NetlinkException e) {
        if (e.errno() != Errno.ENOBUFS || lost) {
          throw e;
        }
        lost = true;
        continue;
      }
      if (datagram == null) {
        unread = false;
        return new Answer(errors, lastHeard, lost);
      }
      for (Optional<Message> next = datagram.next(); next.isPresent(); next = datagram.next()) {
        Message message = next.get();
        if (message.type() == MessageReader.TYPE_ERROR) {
          answered = true;
          lastHeard = message.sequence();
          if (message.errno() != 0) {
            errors.add(message);
          }
        }
      }
    }
  }

  @Override
  public void close() {
    socket.close();
  }

  /** Sends a request; what is left of the answer to the one before is discarded. */
  private void send(MessageWriter request) {
    if (unread) {
      socket.discardPending();
    }
    unread = true;
    socket.send(request);
  }

  private MessageReader receive(Duration wait, String what) {
    MessageReader datagram = socket.receive(wait);
    if (datagram == null) {
      throw new NetlinkException(
          "cannot " + what + ": the kernel did not answer within " + wait.toSeconds() + " s");
    }
    return datagram;
  }
}
