package dev.portolan.lab;

import dev.portolan.core.net.Ip;
import dev.portolan.lab.Reply.Peer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The one line by which a server answers: its name and port, and the client as it saw it. */
final class AnswerLine {
  private AnswerLine() {}

  /** The line, with its end. */
  static byte[] line(String name, int port, Peer client) {
    return (text(name, port, client) + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /** The line, without its end. */
  static String text(String name, int port, Peer client) {
    return name + " " + port + " " + client.address() + " " + client.port();
  }

  /** Reads an answer to a client that sent from {@code sent}. */
  static Reply read(String line, Peer sent) {
    String[] words = line.strip().split(" ", -1);
    if (words.length != 4) {
      return new Reply.Broken("the answer '" + line.strip() + "' is not a valid answer");
    }
    return new Reply.Answered(
        words[0],
        Integer.parseInt(words[1]),
        new Peer(Ip.of(words[2]), Integer.parseInt(words[3])),
        sent);
  }

  /** A socket's address as ours. */
  static Peer peer(SocketAddress address) {
    InetSocketAddress socket = (InetSocketAddress) address;
    return new Peer(ip(socket.getAddress().getAddress()), socket.getPort());
  }

  /** The address that has these 4 or 16 bytes. */
  static Ip ip(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return bytes.length == 4 ? Ip.v4(buffer.getInt()) : new Ip(buffer.getLong(), buffer.getLong());
  }

  /** Our address as a socket's. */
  static InetSocketAddress socketAddress(Ip address, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByAddress(address.toBytes()), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
