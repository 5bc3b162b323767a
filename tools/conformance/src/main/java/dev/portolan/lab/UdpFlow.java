package dev.portolan.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A UDP flow: question and answer between the same two ends. */
final class UdpFlow implements ClientFlow {
  private static final int OWN_KERNEL_MILLIS = 300;

  private final DatagramChannel channel;

  /** Takes a channel that is bound and connected. */
  UdpFlow(DatagramChannel channel) {
    this.channel = channel;
  }

  @Override
  public Reply ask(Duration patience) {
    DatagramSocket socket = channel.socket();
    byte[] question = "?".getBytes(StandardCharsets.US_ASCII);
    try {
      socket.setSoTimeout(Math.toIntExact(patience.toMillis()));
      send(socket, new DatagramPacket(question, question.length, channel.getRemoteAddress()));
      DatagramPacket packet = new DatagramPacket(new byte[256], 256);
      socket.receive(packet);
      return AnswerLine.read(
          new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII),
          AnswerLine.peer(channel.getLocalAddress()));
    } catch (SocketTimeoutException e) {
      return new Reply.Dropped();
    } catch (PortUnreachableException e) {
      return new Reply.Rejected();
    } catch (IOException e) {
      return new Reply.Broken(e.toString());
    }
  }

  /** Sends; where rules of the client's own kernel stop it, the refusal if any is still to come. */
  private static void send(DatagramSocket socket, DatagramPacket packet) throws IOException {
    try {
      socket.send(packet);
    } catch (PortUnreachableException e) {
      throw e;
    } catch (IOException e) {
      if (!"Operation not permitted".equals(e.getMessage())) {
        throw e;
      }
      socket.setSoTimeout(Math.min(socket.getSoTimeout(), OWN_KERNEL_MILLIS));
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
