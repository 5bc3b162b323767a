package dev.portolan.source.kube.wire;

import dev.portolan.core.cluster.ServiceCidr;
import java.util.ArrayList;
import java.util.List;

/** Decodes a ServiceCIDR. */
final class ServiceCidrWire {
  private ServiceCidrWire() {}

  /** Decodes the ServiceCIDR at {@code in}. */
  static ServiceCidr decode(WireReader in, WireMeta meta) throws DecodeException {
    List<String> cidrs = new ArrayList<>();
    while (in.next()) {
      if (in.field() == 1) {
        meta.read(in);
      } else if (in.field() == 2) {
        int outer = in.enter();
        while (in.next()) {
          if (in.field() == 1) {
            cidrs.add(in.text());
          }
        }
        in.leave(outer);
      }
    }
    return new ServiceCidr(meta.name(), cidrs);
  }
}
