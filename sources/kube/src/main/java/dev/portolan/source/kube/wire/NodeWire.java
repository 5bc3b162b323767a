package dev.portolan.source.kube.wire;

import dev.portolan.core.cluster.Node;
import java.util.ArrayList;
import java.util.List;

/** Decodes one Node. */
final class NodeWire {
  private static final List<String> TAINTS = List.of(Node.AUTOSCALER_TAINT);

  private final WireReader in;
  private final List<String> internalIps = new ArrayList<>(2);
  private final List<String> externalIps = new ArrayList<>(2);
  private final List<String> podCidrs = new ArrayList<>(2);
  private String podCidr = "";
  private boolean leaving;

  private NodeWire(WireReader in) {
    this.in = in;
  }

  /** Decodes the Node at {@code in}. */
  static Node decode(WireReader in, WireMeta meta) throws DecodeException {
    NodeWire node = new NodeWire(in);
    while (in.next()) {
      switch (in.field()) {
        case 1 -> meta.read(in);
        case 2 -> node.spec();
        case 3 -> node.status();
        default -> {}
      }
    }
    if (node.podCidrs.isEmpty() && !node.podCidr.isEmpty()) {
      node.podCidrs.add(node.podCidr);
    }
    return new Node(
        meta.name(),
        node.internalIps,
        node.externalIps,
        meta.label(Node.ZONE_LABEL),
        node.podCidrs,
        meta.isLeaving() || node.leaving);
  }

  private void spec() throws DecodeException {
    int outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> podCidr = in.text();
        case 5 -> taint();
        case 7 -> podCidrs.add(in.text());
        default -> {}
      }
    }
    in.leave(outer);
  }

  private void taint() throws DecodeException {
    int outer = in.enter();
    while (in.next()) {
      if (in.field() == 1) {
        leaving |= !in.oneOf(TAINTS).isEmpty();
      }
    }
    in.leave(outer);
  }

  private void status() throws DecodeException {
    int outer = in.enter();
    while (in.next()) {
      if (in.field() == 5) {
        address();
      }
    }
    in.leave(outer);
  }

  private void address() throws DecodeException {
    String type = "";
    String address = "";
    int outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> type = in.name();
        case 2 -> address = in.text();
        default -> {}
      }
    }
    in.leave(outer);
    if (type.equals("InternalIP")) {
      internalIps.add(address);
    } else if (type.equals("ExternalIP")) {
      externalIps.add(address);
    }
  }
}
