package dev.portolan.backend.ebpf;

import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeImage;

/** Where sockets are opened: a kernel, or what stands in for it. Both play the same cases. */
interface SocketWorld extends AutoCloseable {
  /** What a call comes to if the programs refuse it. */
  String REFUSED = "refused";

  /** What it comes to if they leave it alone. */
  String UNTOUCHED = "untouched";

  /** Makes everything equal to an image. */
  void apply(NodeImage image);

  /** Opens a socket of IPv4, or of both families, in a pod. */
  Client open(int pod, boolean ofBoth, Protocol protocol);

  /** Opens one for datagrams, which need no connection. */
  Datagrams openUdp(int pod, boolean ofBoth);

  /** How many sockets are known to have asked for a service. */
  int notes();

  /** Lets time pass. */
  void sleep(int seconds) throws InterruptedException;

  @Override
  void close();

  /** A socket. */
  interface Client extends AutoCloseable {
    /** Connects; the endpoint's address, or a word from above. */
    String connect(String address, int port);

    @Override
    void close();
  }

  /** A socket of UDP. */
  interface Datagrams extends Client {
    /** Sends a datagram; who got it, and who the answer seems to be from. */
    String send(String address, int port);
  }
}
