package dev.portolan.lab;

import dev.portolan.core.net.Ip;

/** What a client saw of its request. */
public sealed interface Reply {
  /**
   * A server answered.
   *
   * @param name the server: a pod, or another host
   * @param port the port on which it listens
   * @param source the client's address as the server saw it
   * @param sent the client as the client sees itself
   */
  record Answered(String name, int port, Peer source, Peer sent) implements Reply {
    /** Whether the client's address and port arrived as they were sent. */
    public boolean isSourceKept() {
      return source.equals(sent);
    }

    @Override
    public String toString() {
      return name + ":" + port + " saw " + source + (isSourceKept() ? "" : " for " + sent);
    }
  }

  /** It was refused with an answer. */
  record Rejected() implements Reply {
    @Override
    public String toString() {
      return "rejected";
    }
  }

  /** No answer came in time. */
  record Dropped() implements Reply {
    @Override
    public String toString() {
      return "dropped";
    }
  }

  /** Something else went wrong: no route, a reset connection. */
  record Broken(String why) implements Reply {
    @Override
    public String toString() {
      return "broken: " + why;
    }
  }

  /** One end of a connection. */
  record Peer(Ip address, int port) {
    /** {@code address:port}. */
    @Override
    public String toString() {
      return address.withPort(port);
    }
  }
}
