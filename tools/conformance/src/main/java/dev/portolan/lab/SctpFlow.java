package dev.portolan.lab;

import dev.portolan.lab.Reply.Peer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Opens an SCTP association, as far as the answer to its first packet. */
final class SctpFlow implements ClientFlow {
  private static final int OWN_KERNEL_MILLIS = 300;

  private final RawSocket socket;
  private final Peer own;
  private final Peer target;
  private final ReentrantLock lock;

  /**
   * Takes a connected socket.
   *
   * @param lock held while asking: a refusal between two addresses reaches all raw sockets there
   */
  SctpFlow(RawSocket socket, Peer own, Peer target, ReentrantLock lock) {
    this.socket = socket;
    this.own = own;
    this.target = target;
    this.lock = lock;
  }

  @Override
  public Reply ask(Duration patience) {
    lock.lock();
    try {
      forgetRefusals();
      return askAlone(patience);
    } finally {
      lock.unlock();
    }
  }

  /** A rejection that arrived before anything was sent is not for this flow. */
  private void forgetRefusals() {
    while (!RawSocket.ready(List.of(socket), 0).isEmpty()) {
      RawSocket.Received _ = socket.receive();
    }
  }

  private Reply askAlone(Duration patience) {
    int tag = own.port() * 65_537 + 1;
    byte[] init = new SctpPacket(own.port(), target.port(), SctpPacket.INIT, tag, "").encode(0);
    int sent = socket.send(init, target.address());
    if (sent < 0 && sent != RawSocket.NOT_PERMITTED && sent != RawSocket.REFUSED) {
      return new Reply.Broken("sendto failed: errno " + -sent);
    }
    long millis = sent < 0 ? Math.min(patience.toMillis(), OWN_KERNEL_MILLIS) : patience.toMillis();
    long end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
    if (sent == RawSocket.REFUSED) {
      return new Reply.Rejected();
    }
    for (long left = millis; left > 0; left = (end - System.nanoTime()) / 1_000_000) {
      if (RawSocket.ready(List.of(socket), (int) left).isEmpty()) {
        break;
      }
      RawSocket.Received received = socket.receive();
      if (received.error() == RawSocket.REFUSED) {
        return new Reply.Rejected();
      }
      Optional<Reply> answer =
          SctpPacket.decode(received.payload(), tag)
              .filter(packet -> packet.chunk() == SctpPacket.INIT_ACK)
              .filter(packet -> packet.port() == own.port())
              .map(packet -> AnswerLine.read(packet.cookie(), own));
      if (answer.isPresent()) {
        return answer.get();
      }
    }
    return new Reply.Dropped();
  }

  @Override
  public void close() {
    socket.close();
  }
}
