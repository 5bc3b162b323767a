package dev.portolan.api.transport;

import java.nio.file.Path;

/** Where a brain listens. */
public sealed interface Address {
  /** A socket in the file system, for those on the same machine. */
  record Unix(Path path) implements Address {
    @Override
    public String toString() {
      return "unix://" + path;
    }
  }

  /**
   * A port.
   *
   * @param host a name or an address, without brackets; empty for a listener on all addresses
   * @param port 0 for a listener that takes any free one
   */
  record Tcp(String host, int port) implements Address {
    @Override
    public String toString() {
      return "tcp://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /** A name that is known inside this process only. */
  record InProcess(String name) implements Address {
    @Override
    public String toString() {
      return "inprocess:" + name;
    }
  }

  /**
   * Reads {@code unix:///path}, {@code tcp://host:port}, {@code host:port} or {@code
   * inprocess:name}.
   *
   * @throws IllegalArgumentException with a sentence, where it is none of these
   */
  static Address parse(String text) {
    return AddressParser.parse(text);
  }
}
