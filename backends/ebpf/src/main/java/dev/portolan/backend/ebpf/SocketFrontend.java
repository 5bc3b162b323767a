package dev.portolan.backend.ebpf;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;

/** An address and port that sockets connect to. */
record SocketFrontend(Ip address, int port, Protocol protocol) {
  /** {@code 10.96.0.10:80/TCP}. */
  @Override
  public String toString() {
    return address.withPort(port) + "/" + protocol;
  }
}
