package dev.portolan.netlink.ipvs;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;

/** A virtual service as the kernel has it. */
public record ServiceEntry(
    VirtualService service, ServiceSettings settings, Statistics statistics) {
  private static final int HEADER = 4;
  private static final int STATISTICS = 10;
  private static final int STATISTICS_64 = 12;

  static ServiceEntry read(Message message) {
    Attributes service = message.attributes(HEADER).nested(VirtualService.SERVICE);
    return new ServiceEntry(
        VirtualService.read(service),
        ServiceSettings.read(service),
        Statistics.read(service, STATISTICS_64, STATISTICS));
  }

  /** The service with its settings, as ipvsadm writes them. */
  @Override
  public String toString() {
    return service + " " + settings;
  }
}
