package dev.portolan.compare.decisions;

import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServiceAddress.Kind;
import dev.portolan.core.text.Tree;

/** An address of a service port that only one side has, and the nodes where that is so. */
public record AddressChange(ServiceAddress address, NodeSet nodes) implements Tree.Shown {
  private record Place(Kind kind, String address, int port, NodeSet nodes) {}

  @Override
  public Object shown() {
    String ip = address.isNodePort() ? "" : address.address().toString();
    return new Place(address.kind(), ip, address.port(), nodes);
  }
}
