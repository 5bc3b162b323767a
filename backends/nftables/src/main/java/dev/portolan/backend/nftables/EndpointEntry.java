package dev.portolan.backend.nftables;

import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Endpoint;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.table.Entry;
import dev.portolan.nftables.table.Keys;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An element of a map of endpoints, which each have a number. */
sealed interface EndpointEntry extends Entry {
  /** One of the endpoints behind a service's address and port. */
  record OfAddress(Ip address, int port, int index, Endpoint endpoint) implements EndpointEntry {
    /** As of any record, but written out: a large service is compared with each of its changes. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof OfAddress it
          && index == it.index
          && port == it.port
          && endpoint.equals(it.endpoint)
          && address.equals(it.address);
    }

    @Override
    public int hashCode() {
      return Objects.hash(address, port, index, endpoint);
    }

    @Override
    public Element element() {
      return Element.of(
          new Keys().ip(address).port(port).index(index).toBytes(), target(endpoint), "");
    }

    @Override
    public String text() {
      return address
          + " . "
          + port
          + " . "
          + index
          + " : "
          + endpoint.address()
          + " . "
          + endpoint.port();
    }
  }

  /** One of the endpoints behind a nodePort. */
  record OfNodePort(int port, int index, Endpoint endpoint) implements EndpointEntry {
    @Override
    public Element element() {
      return Element.of(new Keys().port(port).index(index).toBytes(), target(endpoint), "");
    }

    @Override
    public String text() {
      return port + " . " + index + " : " + endpoint.address() + " . " + endpoint.port();
    }
  }

  private static byte[] target(Endpoint endpoint) {
    return new Keys().ip(endpoint.address()).port(endpoint.port()).toBytes();
  }
}
